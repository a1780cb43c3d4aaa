/* SPDX-License-Identifier: Apache-2.0 */
/* A number of places, which are given in the order in which they are asked for. Thread-safe. */
#ifndef PBS_PLACES_H
#define PBS_PLACES_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

struct pbs_places {
	pthread_mutex_t lock; /* for all below */
	unsigned free;
	TAILQ_HEAD(, pbs_places_waiter) waiting; /* the first to ask first; empty while a place is free */
};

void pbs_places_init(struct pbs_places *places, unsigned count);

/* Nobody may wait. */
void pbs_places_destroy(struct pbs_places *places);

/* Waits for a place until a time, CLOCK_MONOTONIC in ns (0: none). False: it has come. */
bool pbs_places_take(struct pbs_places *places, int64_t deadline);

/* Gives a place back, and so to the one that has waited longest. */
void pbs_places_give(struct pbs_places *places);

#endif
