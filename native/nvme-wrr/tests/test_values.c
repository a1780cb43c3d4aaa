// SPDX-License-Identifier: Apache-2.0
/* The module's own code that judges its parameters and maps requests to queues, as a program. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include "wrr_values.h"

#define IOPRIO(class, level) ((unsigned)(class) << 13 | (unsigned)(level))

static void burst_is_0_to_7(void **state)
{
	static const char *const refused[] = {"", "8", "-1", "x", "3x", "3 ", " 3", "3\n\n", "0x3", "4294967299"};
	unsigned int burst = 3;

	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		assert_false(wrr_parse_burst(refused[i], &burst));
		assert_int_equal(burst, 3);
	}
	assert_true(wrr_parse_burst("0", &burst));
	assert_int_equal(burst, 0);
	assert_true(wrr_parse_burst("7\n", &burst));
	assert_int_equal(burst, 7);
}

static void weights_are_three_from_1_to_256(void **state)
{
	static const char *const refused[] = {"", "3,2", "3,2,1,1", "0,2,1", "3,2,0", "257,2,1", "3,2,4294967297",
					      "3,,1", "3,2,1,", "-3,2,1", "3;2;1", "3, 2, 1", "a,2,1"};
	unsigned int weights[WRR_WEIGHTS] = {3, 2, 1};

	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		assert_false(wrr_parse_weights(refused[i], weights));
		assert_int_equal(wrr_arbitration(weights, 3), 0x02010003);
	}
	assert_true(wrr_parse_weights("256,1,16\n", weights));
	assert_int_equal(wrr_arbitration(weights, 7), 0xff000f07);
}

static void a_map_names_a_queue_for_each_class_and_level(void **state)
{
	struct wrr_map map;

	(void)state;
	assert_true(wrr_parse_map("u,hhhhmmmm,l,m\n", &map));
	for (unsigned level = 0; level < WRR_LEVELS; level++) {
		assert_int_equal(wrr_prio_of(&map, IOPRIO(1, level)), WRR_URGENT);
		assert_int_equal(wrr_prio_of(&map, IOPRIO(2, level)), level < 4 ? WRR_HIGH : WRR_MEDIUM);
		assert_int_equal(wrr_prio_of(&map, IOPRIO(3, level)), WRR_LOW);
	}
	assert_int_equal(wrr_prio_of(&map, 0), WRR_MEDIUM);
	/* A hint (duration limit) in bits 12:3, and classes that there are not. */
	assert_int_equal(wrr_prio_of(&map, IOPRIO(2, 3 << 3 | 5)), WRR_MEDIUM);
	assert_int_equal(wrr_prio_of(&map, IOPRIO(2, 3 << 3 | 1)), WRR_HIGH);
	for (unsigned class = 4; class < 8; class++)
		assert_int_equal(wrr_prio_of(&map, IOPRIO(class, 1)), WRR_MEDIUM);
	assert_true(wrr_parse_map("uuhhmmll,l,u,h", &map));
	assert_int_equal(wrr_prio_of(&map, IOPRIO(1, 7)), WRR_LOW);
	assert_int_equal(wrr_prio_of(&map, IOPRIO(2, 7)), WRR_LOW);
	assert_int_equal(wrr_prio_of(&map, IOPRIO(3, 0)), WRR_URGENT);
	assert_int_equal(wrr_prio_of(&map, 0), WRR_HIGH);
}

static void other_maps_are_refused(void **state)
{
	static const char *const refused[] = {
		"", "u", "u,h,l", "u,h,l,m,m", "u,h,l,", ",h,l,m", "u,hh,l,m", "u,hhhhmmmmm,l,m", "uuuuuuu,h,l,m",
		"u,h,llllllll,m", "u,h,l,mmmmmmmm", "x,h,l,m", "u,h,l,m ", "U,h,l,m", "0,1,3,2", "u h l m"};
	struct wrr_map map, before;

	(void)state;
	assert_true(wrr_parse_map("l,m,h,u", &map));
	before = map;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		assert_false(wrr_parse_map(refused[i], &map));
		assert_memory_equal(&map, &before, sizeof(map));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(burst_is_0_to_7),
		cmocka_unit_test(weights_are_three_from_1_to_256),
		cmocka_unit_test(a_map_names_a_queue_for_each_class_and_level),
		cmocka_unit_test(other_maps_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
