// SPDX-License-Identifier: Apache-2.0
#include "unit.h"

#include "feed.h"
#include "plausible.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char error[512];
static char output[1 << 16];

static int feed(const struct vhdd_params *params, const char *lines)
{
	FILE *in = fmemopen((void *)lines, strlen(lines), "r");
	FILE *out = fmemopen(output, sizeof(output), "w");
	int result;

	assert_non_null(in);
	assert_non_null(out);
	error[0] = '\0';
	result = vhdd_feed_run(params, VHDD_HOST_MQ_DEADLINE, 32, in, out, error, sizeof(error));
	fclose(in);
	fclose(out);
	return result;
}

/* A read far away takes a seek and a turn; one that continues it comes from under the head. */
static void answers_in_the_order_of_the_drive(void **state)
{
	struct vhdd_params params = sdc21();
	unsigned long first;
	unsigned long second;
	int read;

	(void)state;
	assert_int_equal(feed(&params, "r 7 34359738368 131072 none\nt 100000000\n"
				       "r 8 34359869440 131072 none\nt 200000000\nt 200000000\n"),
			 0);
	assert_int_equal(sscanf(output, "a 7 %lu\na 8 %lu\nt 200000000\n%n", &first, &second, &read),
			 2);
	assert_int_equal(strlen(output), read);
	assert_in_range(first, NS_PER_MS, 30 * NS_PER_MS);
	assert_in_range(second - first, 1, 3 * NS_PER_MS);
}

/* The host's scheduler holds best effort back while real-time is at the drive. */
static void the_host_orders_by_class(void **state)
{
	struct vhdd_params params = sdc21();
	unsigned long at;

	(void)state;
	assert_int_equal(feed(&params, "r 1 34359738368 4096 rt:0\nr 2 4096 4096 idle\n"
				       "t 1000000000\nt 1000000000\n"),
			 0);
	assert_int_equal(sscanf(output, "a 1 %lu\na 2 %lu\n", &at, &at), 2);
}

/* A SATA drive that gives up a read is closed until it is empty and the host has read a log. */
static void what_the_drive_gives_up_is_answered_with_the_log(void **state)
{
	struct vhdd_params params = sdc21();
	unsigned long at[3];

	(void)state;
	params.mode = VHDD_MODE_CDL;
	params.cdl[0].guideline.ns = 0;
	params.cdl[0].inactive = (struct vhdd_cdl_limit){NS_PER_MS, VHDD_CDL_UNAVAILABLE};
	assert_int_equal(feed(&params, "r 1 34359738368 4096 none\nt 200000\nr 2 4096 4096 be:4+1\n"
				       "t 1500000\nr 3 8192 4096 none\nt 100000000\nt 100000000\n"
				       "t 100000000\n"),
			 0);
	assert_int_equal(sscanf(output, "t 200000\nt 1500000\na 1 %lu\na 2 %lu\na 3 %lu\n", &at[0],
				&at[1], &at[2]),
			 3);
	assert_int_equal(at[1] - at[0], params.recovery_ns);
	assert_true(at[2] > at[1]);
}

static void time_passes_without_requests(void **state)
{
	struct vhdd_params params = sdc21();

	(void)state;
	assert_int_equal(feed(&params, "t 5\nt 5\nt 1000\n"), 0);
	assert_string_equal(output, "t 5\nt 5\nt 1000\n");
}

static void refuses_wrong_lines(void **state)
{
	static const struct {
		const char *lines;
		const char *says;
	} wrong[] = {
		{"x 1\n", "line 1: allowed are: r NUMBER"},
		{"\n", "line 1: allowed are: r NUMBER"},
		{"t 10\nt 9\n", "line 2: 9: allowed is the time, 10 ns, or later"},
		{"t\n", "line 1: allowed is: t NS"},
		{"t 1 2\n", "line 1: allowed is: t NS"},
		{"t -1\n", "line 1: allowed is: t NS"},
		{"r 1 0 4096\n", "line 1: allowed is: r NUMBER"},
		{"r 1 0 4096 none more\n", "line 1: allowed is: r NUMBER"},
		{"r 1 0 0 none\n", "offset 0, length 0: allowed are multiples of 512"},
		{"r 1 100 4096 none\n", "offset 100, length 4096: allowed are multiples of 512"},
		{"r 1 68719476736 4096 none\n", "within the disk's 68719476736 bytes"},
		{"r 1 0 4096 high\n", "high"},
	};
	struct vhdd_params params = sdc21();

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(feed(&params, wrong[i].lines), -EINVAL);
		if (strstr(error, wrong[i].says) == NULL)
			fail_msg("'%s' does not say '%s'", error, wrong[i].says);
	}
	params.seek_avg_ns = 0;
	assert_int_equal(feed(&params, "t 1\n"), -EINVAL);
	assert_non_null(strstr(error, "seek_avg_ns=0"));
}

static double number_of(const struct vhdd_params *params, const char *key)
{
	json_t *all = vhdd_params_to_json(params);
	double number = json_number_value(json_object_get(all, key));

	json_decref(all);
	return number;
}

/* The key's value with one end of its range, which the others of the preset allow. */
static double number_with(const char *key, const char *end)
{
	struct vhdd_params params = sdc21();
	char copy[200];
	char *rest = NULL;
	const char *value;
	bool fits;

	snprintf(copy, sizeof(copy), "%s", end);
	value = strtok_r(copy, " ", &rest);
	fits = vhdd_params_set(&params, key, value, error, sizeof(error)) == 0;
	while (fits && (value = strtok_r(NULL, " ", &rest)) != NULL)
		fits = vhdd_params_assign(&params, value, error, sizeof(error)) == 0;
	if (!fits || vhdd_params_check(&params, error, sizeof(error)) != 0)
		fail_msg("%s", error);
	return number_of(&params, key);
}

/* Whoever adds a parameter says between which values it is plausible, or why it is not varied. */
static void every_key_has_a_plausible_range_around_the_preset(void **state)
{
	size_t count;
	const struct vhdd_param_info *info = vhdd_params_table(&count);

	(void)state;
	for (size_t i = 0; i < count; i++) {
		const struct vhdd_plausible *range = vhdd_plausible_find(info[i].key);
		struct vhdd_params params = sdc21();

		if (strncmp(info[i].key, "cdl", 3) == 0)
			continue;
		if (range == NULL)
			fail_msg("%s: plausible.c has no range for it, nor why it needs none",
				 info[i].key);
		assert_true(strlen(range->why) > 0);
		assert_true((range->low == NULL) == (range->high == NULL));
		if (range->low == NULL)
			continue;
		/* What the preset has off is varied between two sizes. */
		assert_true(number_with(range->key, range->low) <= number_of(&params, range->key) ||
			    number_of(&params, range->key) == 0);
		assert_true(number_with(range->key, range->high) >= number_of(&params, range->key));
	}
}

static void keys_as_json_have_values_and_ranges(void **state)
{
	struct vhdd_params params = sdc21();
	json_t *keys = vhdd_plausible_to_json(&params);
	const char *key;
	const char *value;
	const char *allowed;
	const char *low;
	bool found = false;

	(void)state;
	assert_non_null(keys);
	for (size_t i = 0; i < json_array_size(keys); i++) {
		assert_int_equal(json_unpack(json_array_get(keys, i), "{s:s, s:s, s:s}", "key", &key,
					     "value", &value, "allowed", &allowed),
				 0);
		if (strcmp(key, "seek_avg_ns") != 0)
			continue;
		found = true;
		assert_string_equal(value, "6.6ms");
		assert_int_equal(json_unpack(json_array_get(keys, i), "{s:s}", "low", &low), 0);
		assert_string_equal(low, "5.8ms");
	}
	assert_true(found);
	json_decref(keys);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_in_the_order_of_the_drive),
		cmocka_unit_test(the_host_orders_by_class),
		cmocka_unit_test(what_the_drive_gives_up_is_answered_with_the_log),
		cmocka_unit_test(time_passes_without_requests),
		cmocka_unit_test(refuses_wrong_lines),
		cmocka_unit_test(every_key_has_a_plausible_range_around_the_preset),
		cmocka_unit_test(keys_as_json_have_values_and_ranges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
