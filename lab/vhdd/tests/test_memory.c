// SPDX-License-Identifier: Apache-2.0
#include "memory.h"
#include "unit.h"

#include <string.h>

static struct vhdd_memory parse(const char *text)
{
	FILE *stream = fmemopen((char *)text, strlen(text), "r");
	struct vhdd_memory memory;

	assert_non_null(stream);
	memory = vhdd_memory_parse(stream);
	fclose(stream);
	return memory;
}

static void a_sixteenth_of_memory_is_kept(void **state)
{
	struct vhdd_memory memory =
		parse("MemTotal:       16000 kB\nMemFree:  1 kB\nMemAvailable:    5000 kB\n");

	(void)state;
	assert_int_equal(memory.available, 5000 * 1024);
	assert_int_equal(memory.left, 4000 * 1024);
	assert_int_equal(parse("MemTotal:       16000 kB\nMemAvailable:    1000 kB\n").left, 0);
	assert_int_equal(parse("MemTotal:       16000 kB\nMemAvailable:    10 kB\n").left, 0);
}

static void no_answer_is_no_memory(void **state)
{
	(void)state;
	assert_int_equal(parse("MemTotal:       16000 kB\n").left, 0);
	assert_int_equal(parse("nonsense\n").left, 0);
}

static void this_machine_has_memory(void **state)
{
	(void)state;
	assert_true(vhdd_memory_now().left > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sixteenth_of_memory_is_kept),
		cmocka_unit_test(no_answer_is_no_memory),
		cmocka_unit_test(this_machine_has_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
