// SPDX-License-Identifier: Apache-2.0
#include "unit.h"

#include "number.h"

static void reads_whole_numbers_within_bounds(void **state)
{
	uint64_t number = 0;

	(void)state;
	assert_true(hprio_parse_whole("0", 0, 0, &number));
	assert_int_equal(number, 0);
	assert_true(hprio_parse_whole("007", 7, 7, &number));
	assert_int_equal(number, 7);
	assert_true(hprio_parse_whole("18446744073709551615", 0, UINT64_MAX, &number));
	assert_true(number == UINT64_MAX);
}

static void refuses_the_rest(void **state)
{
	static const char *const wrong[] = {"",	   " 5", "+5", "-5", "5 ", "5k", "5.0", "0x5",
					    "many", "4",  "11", "18446744073709551621"};
	uint64_t number = 1;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		if (hprio_parse_whole(wrong[i], 5, 10, &number))
			fail_msg("\"%s\" is accepted", wrong[i]);
	assert_int_equal(number, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_whole_numbers_within_bounds),
		cmocka_unit_test(refuses_the_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
