// SPDX-License-Identifier: Apache-2.0
#include "unit.h"

#include "ioprio.h"

#include <errno.h>
#include <string.h>

static void parses_and_formats(void **state)
{
	static const struct {
		const char *text;
		uint16_t ioprio;
		const char *back;
	} cases[] = {
		{"none", 0x0000, "none"},      {"rt", 0x2004, "rt:4"},	 {"rt:0", 0x2000, "rt:0"},
		{"be:7", 0x4007, "be:7"},      {"idle", 0x6000, "idle"}, {"be:4+1", 0x400c, "be:4+1"},
		{"idle+7", 0x6038, "idle+7"},
	};
	char text[32];
	char error[256];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint16_t ioprio = 0xffff;
		assert_int_equal(hprio_ioprio_parse(cases[i].text, true, &ioprio, error, sizeof(error)), 0);
		assert_int_equal(ioprio, cases[i].ioprio);
		assert_string_equal(hprio_ioprio_format(ioprio, text, sizeof(text)), cases[i].back);
	}
}

static void refuses_the_rest(void **state)
{
	static const char *const wrong[] = {"",	    "RT",     "rt:",	 "rt:8", "rt:00", "be:-1",
					    "be+0", "be:4+8", "idle:1", "none+1", "rt 0",	  "8"};
	char error[256];

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		uint16_t ioprio = 1;
		assert_int_equal(hprio_ioprio_parse(wrong[i], true, &ioprio, error, sizeof(error)),
				 -EINVAL);
		assert_int_equal(ioprio, 1);
		assert_non_null(strstr(error, wrong[i]));
		assert_non_null(strstr(error, "rt:0 to rt:7"));
	}
}

static void limits_only_where_they_are_allowed(void **state)
{
	uint16_t ioprio = 1;
	char error[256];

	(void)state;
	assert_int_equal(hprio_ioprio_parse("be:4+1", false, &ioprio, error, sizeof(error)), -EINVAL);
	assert_int_equal(ioprio, 1);
	assert_null(strstr(error, "duration limit"));
	assert_int_equal(hprio_ioprio_parse("be:4", false, &ioprio, error, sizeof(error)), 0);
	assert_int_equal(ioprio, 0x4004);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parses_and_formats),
		cmocka_unit_test(refuses_the_rest),
		cmocka_unit_test(limits_only_where_they_are_allowed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
