// SPDX-License-Identifier: Apache-2.0
#include "unit.h"

#include "ioprio.h"
#include "stats.h"

#include <stdbool.h>
#include <string.h>

#define DISK_BYTES (UINT64_C(1) << 30)
#define ENOUGH 2000

static const struct vhdd_writecache_counts no_cache;

static int set_up(void **state)
{
	*state = vhdd_stats_new(DISK_BYTES, 0);
	return *state ? 0 : -1;
}

static int tear_down(void **state)
{
	vhdd_stats_free(*state);
	return 0;
}

static void pass_at(struct vhdd_stats *stats, uint16_t ioprio, uint64_t offset,
		    enum vhdd_issue_match match, int64_t lateness_ns)
{
	struct vhdd_request request = {
		.offset = offset,
		.length = 4096,
		.ioprio = ioprio,
		.arrival_ns = 0,
		.start_ns = 2 * NS_PER_MS,
		.finish_ns = 10 * NS_PER_MS,
		.answer_ns = 10 * NS_PER_MS,
	};

	vhdd_stats_arrived(stats, &request, match);
	vhdd_stats_held(stats, 1);
	vhdd_stats_answered(stats, &request, request.finish_ns + lateness_ns, true);
}

static void pass(struct vhdd_stats *stats, enum hprio_ioprio_class class, uint64_t offset,
		 enum vhdd_issue_match match, int64_t lateness_ns)
{
	pass_at(stats, hprio_ioprio_make(class, 0, 0), offset, match, lateness_ns);
}

static void pass_good(struct vhdd_stats *stats, int count)
{
	for (int i = 0; i < count; i++)
		pass(stats, HPRIO_CLASS_BE, 0, VHDD_ISSUE_FOUND, 0);
}

/* Whether the counts are valid; if not, the only reason must contain this text. */
static bool valid(const struct vhdd_stats *stats, uint64_t lost, const char *reason)
{
	json_t *json = vhdd_stats_to_json(stats, 20 * NS_PER_S, lost, &no_cache);
	const json_t *reasons = json_object_get(json, "reasons");
	bool is_valid = json_is_true(json_object_get(json, "valid"));

	assert_int_equal(json_array_size(reasons), is_valid ? 0 : 1);
	if (!is_valid) {
		assert_non_null(reason);
		assert_non_null(strstr(json_string_value(json_array_get(reasons, 0)), reason));
	}
	json_decref(json);
	return is_valid;
}

static void counts_per_class_and_direction(void **state)
{
	struct vhdd_stats *stats = *state;
	json_t *json;
	const json_t *class;
	double service = 0;
	double busy = 0;

	pass(stats, HPRIO_CLASS_RT, 0, VHDD_ISSUE_FOUND, 0);
	pass_good(stats, 3);
	json = vhdd_stats_to_json(stats, 2 * NS_PER_S, 0, &no_cache);
	assert_int_equal(json_array_size(json_object_get(json, "classes")), 2);
	class = json_array_get(json_object_get(json, "classes"), 1);
	assert_string_equal(json_string_value(json_object_get(class, "class")), "be");
	assert_string_equal(json_string_value(json_object_get(class, "operation")), "read");
	assert_int_equal(json_integer_value(json_object_get(class, "count")), 3);
	assert_int_equal(json_integer_value(json_object_get(class, "bytes")), 3 * 4096);
	assert_near(json_number_value(json_object_get(class, "iops")), 1.5, 1e-9);
	service = json_number_value(json_object_get(class, "service_ms"));
	assert_near(service, 8, 1e-9);
	assert_near(json_number_value(json_object_get(json_object_get(class, "latency_ms"), "p50")),
		    10, 0.05);
	busy = json_number_value(json_object_get(json, "busy"));
	assert_near(busy, 4 * 0.008 / 2, 1e-9);
	json_decref(json);
}

static void counts_busy_time_and_bytes_per_priority(void **state)
{
	struct vhdd_stats *stats = *state;
	json_t *json;
	const json_t *busy;
	const json_t *rate;

	pass_at(stats, hprio_ioprio_make(HPRIO_CLASS_BE, 0, 0), 0, VHDD_ISSUE_FOUND, 0);
	pass_at(stats, hprio_ioprio_make(HPRIO_CLASS_BE, 0, 0), 0, VHDD_ISSUE_FOUND, 0);
	pass_at(stats, hprio_ioprio_make(HPRIO_CLASS_BE, 7, 0), 0, VHDD_ISSUE_FOUND, 0);
	pass_at(stats, hprio_ioprio_make(HPRIO_CLASS_IDLE, 0, 0), 0, VHDD_ISSUE_FOUND, 0);
	pass_at(stats, hprio_ioprio_make(HPRIO_CLASS_IDLE, 4, 0), 0, VHDD_ISSUE_FOUND, 0);
	json = vhdd_stats_to_json(stats, 2 * NS_PER_S, 0, &no_cache);
	busy = json_object_get(json, "priorities_busy");
	assert_int_equal(json_object_size(busy), 3);
	assert_near(json_number_value(json_object_get(busy, "be:0")), 2 * 0.008 / 2, 1e-9);
	assert_near(json_number_value(json_object_get(busy, "be:7")), 0.008 / 2, 1e-9);
	assert_near(json_number_value(json_object_get(busy, "idle")), 2 * 0.008 / 2, 1e-9);
	rate = json_object_get(json, "priorities_mb_per_s");
	assert_int_equal(json_object_size(rate), 3);
	assert_near(json_number_value(json_object_get(rate, "be:0")), 2 * 0.004096 / 2, 1e-9);
	assert_near(json_number_value(json_object_get(rate, "be:7")), 0.004096 / 2, 1e-9);
	assert_near(json_number_value(json_object_get(rate, "idle")), 2 * 0.004096 / 2, 1e-9);
	json_decref(json);
}

static void tells_how_long_the_way_to_the_drive_was(void **state)
{
	struct vhdd_stats *stats = *state;
	json_t *json;
	const json_t *way;

	vhdd_stats_way(stats, NS_PER_MS);
	vhdd_stats_way(stats, NS_PER_MS);
	vhdd_stats_way(stats, 8 * NS_PER_MS);
	json = vhdd_stats_to_json(stats, 2 * NS_PER_S, 0, &no_cache);
	way = json_object_get(json, "way_ms");
	assert_near(json_number_value(json_object_get(way, "p50")), 1, 0.01);
	assert_near(json_number_value(json_object_get(way, "max")), 8, 0.05);
	json_decref(json);
}

static void the_gate_opens_only_for_good_counts(void **state)
{
	struct vhdd_stats *stats = *state;
	struct vhdd_request request = {.length = 4096};

	assert_false(valid(stats, 0, "no request"));
	pass_good(stats, ENOUGH);
	assert_true(valid(stats, 0, NULL));
	assert_false(valid(stats, 1, "did not trace 1 requests"));

	pass(stats, HPRIO_CLASS_NONE, 0, VHDD_ISSUE_MISSING, 0);
	assert_false(valid(stats, 0, "1 requests came without"));
	/* What was lost before a reset does not count after it. */
	vhdd_stats_reset(stats, 0, 1, &no_cache);
	pass_good(stats, ENOUGH);
	assert_true(valid(stats, 1, NULL));

	pass(stats, HPRIO_CLASS_NONE, 0, VHDD_ISSUE_MISMATCHED, 0);
	assert_false(valid(stats, 1, "priority of another"));
	vhdd_stats_reset(stats, 0, 0, &no_cache);
	pass_good(stats, ENOUGH);
	vhdd_stats_held(stats, 32);
	assert_true(valid(stats, 0, NULL));
	vhdd_stats_held(stats, 33);
	assert_false(valid(stats, 0, "held 33"));

	vhdd_stats_reset(stats, 0, 0, &no_cache);
	pass_good(stats, ENOUGH);
	vhdd_stats_failed(stats);
	assert_false(valid(stats, 0, "1 requests failed"));

	vhdd_stats_reset(stats, 0, 0, &no_cache);
	pass_good(stats, ENOUGH);
	vhdd_stats_answered(stats, &request, 0, false);
	assert_false(valid(stats, 0, "delays off"));
}

static void the_gate_closes_when_answers_are_late(void **state)
{
	struct vhdd_stats *stats = *state;

	pass_good(stats, ENOUGH);
	/* One in a thousand may be late, at any time. */
	pass(stats, HPRIO_CLASS_BE, 0, VHDD_ISSUE_FOUND, NS_PER_S);
	assert_true(valid(stats, 0, NULL));
	for (int i = 0; i < 5; i++)
		pass(stats, HPRIO_CLASS_BE, 0, VHDD_ISSUE_FOUND, 4 * NS_PER_MS);
	assert_false(valid(stats, 0, "p99.9 is 4.0"));

	vhdd_stats_reset(stats, 0, 0, &no_cache);
	pass_good(stats, ENOUGH);
	for (int i = 0; i < ENOUGH / 50; i++)
		pass(stats, HPRIO_CLASS_BE, 0, VHDD_ISSUE_FOUND, NS_PER_MS);
	assert_false(valid(stats, 0, "p99 is 1.0"));

	/* Too early is no better. */
	vhdd_stats_reset(stats, 0, 0, &no_cache);
	pass_good(stats, ENOUGH);
	for (int i = 0; i < ENOUGH / 50; i++)
		pass(stats, HPRIO_CLASS_BE, 0, VHDD_ISSUE_FOUND, -NS_PER_MS);
	assert_false(valid(stats, 0, "p99 is 1.0"));
}

static void pass_arriving(struct vhdd_stats *stats, int count, int64_t late_ns)
{
	struct vhdd_request request = {.length = 4096, .late_ns = late_ns};

	for (int i = 0; i < count; i++)
		vhdd_stats_answered(stats, &request, 0, true);
}

/* A busy processor shows before the model has a request, not only after. */
static void the_gate_closes_when_requests_arrive_late(void **state)
{
	struct vhdd_stats *stats = *state;

	pass_good(stats, ENOUGH);
	pass_arriving(stats, 1, NS_PER_S);
	assert_true(valid(stats, 0, NULL));
	pass_arriving(stats, 5, 4 * NS_PER_MS);
	assert_false(valid(stats, 0, "arrived late: p99.9 is 4.0"));

	vhdd_stats_reset(stats, 0, 0, &no_cache);
	pass_good(stats, ENOUGH);
	pass_arriving(stats, ENOUGH / 50, NS_PER_MS);
	assert_false(valid(stats, 0, "arrived late: p99 is 1.0"));
	vhdd_stats_reset(stats, 0, 0, &no_cache);
	pass_good(stats, ENOUGH);
	assert_true(valid(stats, 0, NULL));
}

static json_int_t in_region(const struct vhdd_stats *stats, size_t region, const char *class)
{
	json_t *json = vhdd_stats_to_json(stats, NS_PER_S, 0, &no_cache);
	json_int_t count = json_integer_value(json_object_get(
		json_array_get(json_object_get(json, "regions"), region), class));

	json_decref(json);
	return count;
}

static void counts_classes_per_region(void **state)
{
	struct vhdd_stats *stats = *state;

	vhdd_stats_set_regions(stats, 3);
	pass(stats, HPRIO_CLASS_RT, 0, VHDD_ISSUE_FOUND, 0);
	pass(stats, HPRIO_CLASS_IDLE, DISK_BYTES / 3 * 2 - 4096, VHDD_ISSUE_FOUND, 0);
	/* 2^30 is no multiple of 3: the rest is in the last region. */
	pass(stats, HPRIO_CLASS_BE, DISK_BYTES - 512, VHDD_ISSUE_FOUND, 0);
	assert_int_equal(in_region(stats, 0, "rt"), 1);
	assert_int_equal(in_region(stats, 1, "idle"), 1);
	assert_int_equal(in_region(stats, 2, "be"), 1);
	vhdd_stats_reset(stats, 0, 0, &no_cache);
	assert_int_equal(in_region(stats, 0, "rt"), 0);
	vhdd_stats_set_regions(stats, 0);
	pass_good(stats, 1);
	assert_int_equal(in_region(stats, 0, "be"), 0);
}

/* What a duration limit has ended without data is no read of its class, and no failure. */
static void counts_duration_limits(void **state)
{
	struct vhdd_stats *stats = *state;
	struct vhdd_request request = {
		.length = 4096, .start_ns = 0, .finish_ns = NS_PER_MS, .answer_ns = NS_PER_MS,
		.cdl = {.used = 2}};
	json_t *json;
	const json_t *counts;

	vhdd_stats_answered(stats, &request, NS_PER_MS, true);
	request.cdl.guideline = 2;
	vhdd_stats_answered(stats, &request, NS_PER_MS, true);
	request.cdl.unavailable = true;
	/* The drive was not busy with it while the host waited for others. */
	request.answer_ns = 200 * NS_PER_MS;
	vhdd_stats_answered(stats, &request, request.answer_ns, true);
	assert_true(valid(stats, 0, NULL));
	json = vhdd_stats_to_json(stats, NS_PER_S, 0, &no_cache);
	counts = json_object_get(json, "duration_limits");
	assert_int_equal(json_array_size(counts), 1);
	counts = json_array_get(counts, 0);
	assert_int_equal(json_integer_value(json_object_get(counts, "descriptor")), 2);
	assert_int_equal(json_integer_value(json_object_get(counts, "commands")), 3);
	assert_int_equal(json_integer_value(json_object_get(counts, "met")), 1);
	assert_int_equal(json_integer_value(json_object_get(counts, "inactive_exceeded")), 0);
	assert_int_equal(json_integer_value(json_object_get(counts, "active_exceeded")), 0);
	assert_int_equal(json_integer_value(json_object_get(counts, "guideline_exceeded")), 2);
	assert_int_equal(json_integer_value(json_object_get(counts, "unavailable")), 1);
	counts = json_array_get(json_object_get(json, "classes"), 0);
	assert_int_equal(json_integer_value(json_object_get(counts, "count")), 2);
	assert_int_equal(json_integer_value(json_object_get(counts, "bytes")), 2 * 4096);
	assert_near(json_number_value(json_object_get(json, "busy")), 0.003, 1e-9);
	json_decref(json);
	vhdd_stats_reset(stats, 0, 0, &no_cache);
	json = vhdd_stats_to_json(stats, NS_PER_S, 0, &no_cache);
	assert_int_equal(json_array_size(json_object_get(json, "duration_limits")), 0);
	json_decref(json);
}

/* The arm is busy with what it writes out, for nobody; a flush is of no class. */
static void counts_the_write_cache(void **state)
{
	struct vhdd_stats *stats = *state;
	struct vhdd_writecache_counts before = {.destaged_bytes = 1, .destages = 1, .destage_ns = 1};
	struct vhdd_writecache_counts after = {.dirty_bytes = 8192,
					       .destaged_bytes = 40961,
					       .destages = 11,
					       .destage_ns = 100 * NS_PER_MS + 1};
	struct vhdd_request flush = {.flush = true,
				     .finish_ns = 20 * NS_PER_MS,
				     .answer_ns = 20 * NS_PER_MS};
	json_t *json;
	const json_t *cache;

	vhdd_stats_reset(stats, 0, 0, &before);
	vhdd_stats_answered(stats, &flush, flush.answer_ns, true);
	json = vhdd_stats_to_json(stats, NS_PER_S, 0, &after);
	assert_int_equal(json_array_size(json_object_get(json, "classes")), 0);
	assert_near(json_number_value(json_object_get(json, "busy")), 0.1, 1e-9);
	assert_int_equal(json_object_size(json_object_get(json, "priorities_busy")), 0);
	cache = json_object_get(json, "write_cache");
	assert_int_equal(json_integer_value(json_object_get(cache, "dirty_bytes")), 8192);
	assert_int_equal(json_integer_value(json_object_get(cache, "destaged_bytes")), 40960);
	assert_int_equal(json_integer_value(json_object_get(cache, "destages")), 10);
	assert_near(json_number_value(json_object_get(cache, "busy")), 0.1, 1e-9);
	assert_int_equal(json_integer_value(json_object_get(cache, "flushes")), 1);
	assert_near(json_number_value(json_object_get(json_object_get(cache, "flush_ms"), "max")), 20,
		    0.5);
	json_decref(json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(counts_per_class_and_direction, set_up, tear_down),
		cmocka_unit_test_setup_teardown(counts_busy_time_and_bytes_per_priority, set_up, tear_down),
		cmocka_unit_test_setup_teardown(tells_how_long_the_way_to_the_drive_was, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(the_gate_opens_only_for_good_counts, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(the_gate_closes_when_answers_are_late, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(the_gate_closes_when_requests_arrive_late, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(counts_classes_per_region, set_up, tear_down),
		cmocka_unit_test_setup_teardown(counts_the_write_cache, set_up, tear_down),
		cmocka_unit_test_setup_teardown(counts_duration_limits, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
