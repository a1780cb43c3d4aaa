// SPDX-License-Identifier: Apache-2.0
#include "places.h"

#include "thread.h"

struct pbs_places_waiter {
	TAILQ_ENTRY(pbs_places_waiter) link;
	pthread_cond_t changed;
	bool has_place;
};

void pbs_places_init(struct pbs_places *places, unsigned count)
{
	pthread_mutex_init(&places->lock, NULL);
	places->free = count;
	TAILQ_INIT(&places->waiting);
}

void pbs_places_destroy(struct pbs_places *places)
{
	pthread_mutex_destroy(&places->lock);
}

static bool wait_for_place(struct pbs_places *places, int64_t deadline)
{
	struct pbs_places_waiter self = {.has_place = false};
	bool in_time = true;

	pbs_condition_init(&self.changed);
	TAILQ_INSERT_TAIL(&places->waiting, &self, link);
	while (!self.has_place && in_time)
		in_time = pbs_condition_wait(&self.changed, &places->lock, deadline);
	if (!self.has_place)
		TAILQ_REMOVE(&places->waiting, &self, link);
	pthread_cond_destroy(&self.changed);
	return self.has_place;
}

bool pbs_places_take(struct pbs_places *places, int64_t deadline)
{
	bool taken = true;

	pthread_mutex_lock(&places->lock);
	if (places->free > 0)
		places->free--;
	else
		taken = wait_for_place(places, deadline);
	pthread_mutex_unlock(&places->lock);
	return taken;
}

void pbs_places_give(struct pbs_places *places)
{
	struct pbs_places_waiter *next;

	pthread_mutex_lock(&places->lock);
	next = TAILQ_FIRST(&places->waiting);
	if (next) {
		/* It has the place from now on: nobody who asks before it wakes may have it. */
		TAILQ_REMOVE(&places->waiting, next, link);
		next->has_place = true;
		pthread_cond_signal(&next->changed);
	} else {
		places->free++;
	}
	pthread_mutex_unlock(&places->lock);
}
