/* SPDX-License-Identifier: Apache-2.0 */
/* Threads beside those of the program that uses the library, and waiting until a time. */
#ifndef PBS_THREAD_H
#define PBS_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Starts a thread that takes no signals, with a small stack. 0, or an errno. */
int pbs_thread_start(pthread_t *thread, void *(*run)(void *), void *argument);

/* Makes a condition for pbs_condition_wait. */
void pbs_condition_init(pthread_cond_t *condition);

/*
 * Waits until the condition is signalled, or until a time, CLOCK_MONOTONIC in ns (0: none). False: the time has
 * come.
 */
bool pbs_condition_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t until);

#endif
