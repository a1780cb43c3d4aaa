// SPDX-License-Identifier: Apache-2.0
/* Places are given in the order of asking. */
#include "unit.h"

#include "drive.h"
#include "places.h"

#include <unistd.h>

struct asker {
	struct pbs_places *places;
	pthread_t thread;
	bool got;
};

static void *ask(void *argument)
{
	struct asker *asker = argument;

	asker->got = pbs_places_take(asker->places, 0);
	return NULL;
}

static bool somebody_waits(struct pbs_places *places)
{
	bool waits;

	pthread_mutex_lock(&places->lock);
	waits = !TAILQ_EMPTY(&places->waiting);
	pthread_mutex_unlock(&places->lock);
	return waits;
}

static void start(struct asker *asker, struct pbs_places *places)
{
	*asker = (struct asker){.places = places};
	pthread_create(&asker->thread, NULL, ask, asker);
	while (!somebody_waits(places))
		usleep(1000);
}

static void there_are_as_many_as_said(void **state)
{
	struct pbs_places places;

	(void)state;
	pbs_places_init(&places, 2);
	assert_true(pbs_places_take(&places, 0));
	assert_true(pbs_places_take(&places, pbs_now()));
	assert_false(pbs_places_take(&places, pbs_now()));
	pbs_places_give(&places);
	assert_true(pbs_places_take(&places, pbs_now()));
	pbs_places_give(&places);
	pbs_places_give(&places);
	pbs_places_destroy(&places);
}

static void nobody_overtakes_one_that_waits(void **state)
{
	struct pbs_places places;
	struct asker asker;

	(void)state;
	pbs_places_init(&places, 1);
	assert_true(pbs_places_take(&places, 0));
	start(&asker, &places);
	pbs_places_give(&places);
	/* The other may not even have woken up, and has the place all the same. */
	assert_false(pbs_places_take(&places, pbs_now()));
	pthread_join(asker.thread, NULL);
	assert_true(asker.got);
	pbs_places_give(&places);
	assert_true(pbs_places_take(&places, pbs_now()));
	pbs_places_destroy(&places);
}

static void one_that_gives_up_is_passed_over(void **state)
{
	struct pbs_places places;
	struct asker asker;

	(void)state;
	pbs_places_init(&places, 1);
	assert_true(pbs_places_take(&places, 0));
	assert_false(pbs_places_take(&places, pbs_now() + 1000000));
	start(&asker, &places);
	pbs_places_give(&places);
	pthread_join(asker.thread, NULL);
	assert_true(asker.got);
	pbs_places_destroy(&places);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(there_are_as_many_as_said),
		cmocka_unit_test(nobody_overtakes_one_that_waits),
		cmocka_unit_test(one_that_gives_up_is_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
