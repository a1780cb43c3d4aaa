// SPDX-License-Identifier: Apache-2.0
#include "thread.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

/* Mostly untouched. It also holds the thread-local data of all libraries. */
#define STACK_BYTES (1024 * 1024)
#define NS_PER_S INT64_C(1000000000)

int pbs_thread_start(pthread_t *thread, void *(*run)(void *), void *argument)
{
	pthread_attr_t attributes;
	sigset_t all;
	sigset_t before;
	int error;

	sigfillset(&all);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	/* Signals are left to the program's own threads. */
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(thread, &attributes, run, argument);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return error;
}

void pbs_condition_init(pthread_cond_t *condition)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(condition, &attributes);
	pthread_condattr_destroy(&attributes);
}

bool pbs_condition_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t until)
{
	struct timespec time = {.tv_sec = until / NS_PER_S, .tv_nsec = until % NS_PER_S};

	if (until == 0)
		return pthread_cond_wait(condition, mutex) == 0;
	return pthread_cond_timedwait(condition, mutex, &time) != ETIMEDOUT;
}
