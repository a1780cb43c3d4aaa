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
		assert_int_equal(vhdd_ioprio_parse(cases[i].text, &ioprio, error, sizeof(error)), 0);
		assert_int_equal(ioprio, cases[i].ioprio);
		assert_string_equal(vhdd_ioprio_format(ioprio, text, sizeof(text)), cases[i].back);
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
		assert_int_equal(vhdd_ioprio_parse(wrong[i], &ioprio, error, sizeof(error)),
				 -EINVAL);
		assert_int_equal(ioprio, 1);
		assert_non_null(strstr(error, wrong[i]));
		assert_non_null(strstr(error, "rt:0 to rt:7"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parses_and_formats),
		cmocka_unit_test(refuses_the_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
