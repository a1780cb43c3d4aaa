// SPDX-License-Identifier: Apache-2.0
#include "unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static char error[2048];

static void assert_set(struct vhdd_params *params, const char *key, const char *value)
{
	if (vhdd_params_set(params, key, value, error, sizeof(error)) != 0)
		fail_msg("%s", error);
}

/* The value is refused, params stays, and the message names the key, the value and the rule. */
static void assert_refused(const char *key, const char *value, const char *rule)
{
	struct vhdd_params params = sdc21();
	struct vhdd_params before = params;

	assert_int_equal(vhdd_params_set(&params, key, value, error, sizeof(error)), -EINVAL);
	assert_memory_equal(&params, &before, sizeof(params));
	assert_non_null(strstr(error, key));
	assert_non_null(strstr(error, value));
	if (strstr(error, rule) == NULL)
		fail_msg("'%s' does not say '%s'", error, rule);
}

static void takes_units(void **state)
{
	struct vhdd_params params = sdc21();

	(void)state;
	assert_set(&params, "seek_min_ns", "0.8ms");
	assert_int_equal(params.seek_min_ns, 800000);
	assert_set(&params, "seek_min_ns", "900000");
	assert_int_equal(params.seek_min_ns, 900000);
	assert_set(&params, "max_age_ns", "2s");
	assert_int_equal(params.max_age_ns, 2 * NS_PER_S);
	assert_set(&params, "size_bytes", "4GiB");
	assert_true(params.size_bytes == 4ULL << 30);
	assert_set(&params, "write_cache_bytes", "64MB");
	assert_true(params.write_cache_bytes == 64000000);
	assert_set(&params, "write_cache_bytes", "0");
	assert_true(params.write_cache_bytes == 0);
	assert_set(&params, "interface_bytes_per_s", "300MB");
	assert_near(params.interface_bytes_per_s, 300e6, 1e-3);
	assert_set(&params, "mode", "cdl");
	assert_int_equal(params.mode, VHDD_MODE_CDL);
	assert_set(&params, "cdl7_active_ns", "5s");
	assert_int_equal(params.cdl[6].active.ns, 5 * NS_PER_S);
	assert_set(&params, "age_weight", "0.25");
	assert_near(params.age_weight, 0.25, 1e-12);
	assert_int_equal(vhdd_params_assign(&params, "queue_window=16", error, sizeof(error)), 0);
	assert_int_equal(params.queue_window, 16);
}

static void refuses_unknown_key(void **state)
{
	(void)state;
	assert_refused("rpms", "7200", "rpm seek_min_ns");
	assert_refused("rpm ", "7200", "unknown key");
}

static void refuses_garbage(void **state)
{
	(void)state;
	assert_refused("rpm", "fast", "a number from 1000 to 30000");
	assert_refused("rpm", "", "a number");
	assert_refused("rpm", "7200x", "a number");
	assert_refused("rpm", " 7200", "a number");
	assert_refused("rpm", "nan", "a number");
	assert_refused("rpm", "0x2000", "a number");
	assert_refused("rpm", "7200ms", "a number");
	assert_refused("seek_min_ns", "1MB", "units ns, us, ms, s");
	assert_refused("seek_min_ns", "0.5", "a duration in ns");
	assert_refused("queue_window", "1.5", "a whole number from 1 to 4096");
	assert_refused("mode", "PRIO", "one of ncq, prio, cdl");
	assert_refused("mode", "1", "one of ncq");
}

static void refuses_out_of_range(void **state)
{
	(void)state;
	assert_refused("rpm", "999", "from 1000 to 30000");
	assert_refused("rpm", "1e9", "from 1000 to 30000");
	assert_refused("rpm", "-7200", "from 1000 to 30000");
	assert_refused("queue_window", "0", "from 1 to 4096");
	assert_refused("cdl_rt_hint", "8", "from 0 to 7");
	assert_refused("seek_max_ns", "101ms", "from 0 to 100ms");
	assert_refused("size_bytes", "1e30", "from 1MiB to 100TiB");
}

/* Which policies a limit may have: SPC-6, 7.5.11.2. */
static void takes_the_policies_of_each_limit(void **state)
{
	struct vhdd_params params = sdc21();

	(void)state;
	assert_set(&params, "cdl1_inactive_policy", "complete-unavailable");
	assert_int_equal(params.cdl[0].inactive.policy, 0xd);
	assert_set(&params, "cdl1_active_policy", "complete-unavailable");
	assert_int_equal(params.cdl[0].active.policy, 0xd);
	assert_set(&params, "cdl1_active_policy", "complete-earliest");
	assert_int_equal(params.cdl[0].active.policy, 0x0);
	assert_set(&params, "cdl6_guideline_policy", "continue-next-limit");
	assert_int_equal(params.cdl[5].guideline.policy, 0x1);
	assert_set(&params, "cdl6_guideline_policy", "continue-no-limit");
	assert_int_equal(params.cdl[5].guideline.policy, 0x2);
	assert_set(&params, "cdl7_guideline_policy", "complete-unavailable");
	assert_int_equal(params.cdl[6].guideline.policy, 0xd);
	assert_refused("cdl1_inactive_policy", "continue-next-limit",
		       "one of complete-earliest, complete-unavailable");
	assert_refused("cdl1_active_policy", "continue-no-limit", "one of complete-earliest");
	assert_refused("cdl7_guideline_policy", "continue-next-limit", "one of complete-earliest");
	assert_refused("cdl6_guideline_policy", "0x1", "one of complete-earliest, continue-next");
	/* What drives have and this one does not is refused with the reason. */
	assert_refused("cdl1_guideline_policy", "abort", "all other queued commands");
	assert_refused("cdl1_inactive_policy", "abort", "all other queued commands");
}

static void refuses_assignment_without_key(void **state)
{
	struct vhdd_params params = sdc21();

	(void)state;
	assert_int_equal(vhdd_params_assign(&params, "rpm", error, sizeof(error)), -EINVAL);
	assert_non_null(strstr(error, "KEY=VALUE"));
	assert_int_equal(vhdd_params_assign(&params, "=5", error, sizeof(error)), -EINVAL);
}

static void refuses_unknown_preset(void **state)
{
	struct vhdd_params params;

	(void)state;
	assert_int_equal(vhdd_params_preset(&params, "sdc22"), -EINVAL);
}

static void error_fits_a_small_buffer(void **state)
{
	struct vhdd_params params = sdc21();
	char small[16];

	(void)state;
	assert_int_equal(vhdd_params_set(&params, "nokey", "1", small, sizeof(small)), -EINVAL);
	assert_string_equal(small, "nokey=1: unknow");
}

static void checks_that_fields_fit(void **state)
{
	struct vhdd_params params = sdc21();

	(void)state;
	assert_int_equal(vhdd_params_check(&params, error, sizeof(error)), 0);
	params.seek_avg_ns = params.seek_max_ns;
	assert_int_equal(vhdd_params_check(&params, error, sizeof(error)), -EINVAL);
	assert_non_null(strstr(error, "seek_avg_ns"));
	params = sdc21();
	params.track_inner_bytes = params.track_outer_bytes + 1;
	assert_int_equal(vhdd_params_check(&params, error, sizeof(error)), -EINVAL);
	assert_non_null(strstr(error, "track_outer_bytes"));
	params = sdc21();
	params.size_bytes += 1;
	assert_int_equal(vhdd_params_check(&params, error, sizeof(error)), -EINVAL);
	assert_non_null(strstr(error, "512"));
}

static void prints_values_for_people(void **state)
{
	static const struct {
		const char *key;
		const char *value;
	} cases[] = {
		{"seek_avg_ns", "6.6ms"}, {"size_bytes", "64GiB"}, {"track_outer_bytes", "2MB"},
		{"max_age_ns", "1.5s"},	  {"rpm", "7200"},	   {"mode", "ncq"},
		{"cdl_rt_hint", "0"},	  {"cdl1_guideline_ns", "50ms"},
		{"cdl1_guideline_policy", "complete-earliest"},
	};
	struct vhdd_params params = sdc21();
	char value[64];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(vhdd_param_value(&params, vhdd_params_find(cases[i].key), value,
						     sizeof(value)),
				    cases[i].value);
}

static void every_preset_is_allowed(void **state)
{
	size_t count;
	const struct vhdd_param_info *info = vhdd_params_table(&count);

	(void)state;
	for (const char *const *name = vhdd_params_presets(); *name != NULL; name++) {
		struct vhdd_params params;
		struct vhdd_params copy;
		char value[64];

		assert_int_equal(vhdd_params_preset(&params, *name), 0);
		assert_int_equal(vhdd_params_check(&params, error, sizeof(error)), 0);
		copy = params;
		for (size_t i = 0; i < count; i++)
			assert_set(&copy, info[i].key,
				   vhdd_param_value(&params, &info[i], value, sizeof(value)));
	}
}

/* Each key's preset value is within its range, and text and JSON say the same. */
static void every_key_round_trips(void **state)
{
	struct vhdd_params params = sdc21();
	json_t *json = vhdd_params_to_json(&params);
	size_t count;
	const struct vhdd_param_info *info = vhdd_params_table(&count);

	(void)state;
	assert_int_equal(json_object_size(json), count);
	for (size_t i = 0; i < count; i++) {
		struct vhdd_params copy = params;
		char value[64];
		vhdd_param_value(&params, &info[i], value, sizeof(value));
		assert_set(&copy, info[i].key, value);
		assert_memory_equal(&copy, &params, sizeof(params));
		assert_non_null(json_object_get(json, info[i].key));
		assert_ptr_equal(vhdd_params_find(info[i].key), &info[i]);
	}
	assert_string_equal(json_string_value(json_object_get(json, "mode")), "ncq");
	assert_int_equal(json_integer_value(json_object_get(json, "seek_avg_ns")), 6600000);
	json_decref(json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_units),
		cmocka_unit_test(refuses_unknown_key),
		cmocka_unit_test(refuses_garbage),
		cmocka_unit_test(refuses_out_of_range),
		cmocka_unit_test(takes_the_policies_of_each_limit),
		cmocka_unit_test(refuses_assignment_without_key),
		cmocka_unit_test(refuses_unknown_preset),
		cmocka_unit_test(error_fits_a_small_buffer),
		cmocka_unit_test(checks_that_fields_fit),
		cmocka_unit_test(prints_values_for_people),
		cmocka_unit_test(every_preset_is_allowed),
		cmocka_unit_test(every_key_round_trips),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
