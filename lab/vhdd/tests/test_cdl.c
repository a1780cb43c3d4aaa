// SPDX-License-Identifier: Apache-2.0
#include "unit.h"

#include "cdl.h"

#define MS NS_PER_MS
#define FASTEST (2 * MS)
#define NEVER INT64_MAX

static const struct vhdd_cdl_command waiting = {1, FASTEST, VHDD_CDL_WAITING};
static const struct vhdd_cdl_command begun_at_10 = {1, FASTEST, 10 * MS};

static struct vhdd_cdl_limit limit(int64_t ms, enum vhdd_cdl_policy policy)
{
	return (struct vhdd_cdl_limit){ms * MS, policy};
}

static struct vhdd_cdl_verdict judge(const struct vhdd_cdl_descriptor *set,
				     const struct vhdd_cdl_command *command, int64_t done_ns)
{
	return vhdd_cdl_judge(set, command, done_ns, false);
}

static void without_a_descriptor_no_rule_applies(void **state)
{
	const struct vhdd_cdl_descriptor set[VHDD_CDL_DESCRIPTORS] = {
		{limit(1, VHDD_CDL_UNAVAILABLE), limit(1, VHDD_CDL_UNAVAILABLE),
		 limit(1, VHDD_CDL_UNAVAILABLE)},
	};
	const struct vhdd_cdl_command command = {0, FASTEST, 10 * MS};

	(void)state;
	assert_int_equal(vhdd_cdl_applies(set, &command, 99 * MS), 0);
	assert_true(vhdd_cdl_end_ns(set, &command) == NEVER);
	assert_int_equal(judge(set, &command, 99 * MS).used, 0);
}

static void an_empty_descriptor_limits_nothing(void **state)
{
	const struct vhdd_cdl_descriptor set[VHDD_CDL_DESCRIPTORS] = {
		{limit(0, VHDD_CDL_UNAVAILABLE), limit(0, VHDD_CDL_UNAVAILABLE),
		 limit(0, VHDD_CDL_UNAVAILABLE)},
	};
	struct vhdd_cdl_verdict verdict = judge(set, &begun_at_10, 3600 * NS_PER_S);

	(void)state;
	assert_true(vhdd_cdl_end_ns(set, &waiting) == NEVER);
	assert_true(vhdd_cdl_end_ns(set, &begun_at_10) == NEVER);
	assert_int_equal(verdict.used, 1);
	assert_int_equal(verdict.inactive | verdict.active | verdict.guideline, 0);
}

/* The policy "earliest" lets a command go on; that it exceeded the limit is known. */
static void complete_earliest_only_counts(void **state)
{
	const struct vhdd_cdl_descriptor set[VHDD_CDL_DESCRIPTORS] = {
		{limit(10, VHDD_CDL_EARLIEST), limit(5, VHDD_CDL_EARLIEST),
		 limit(20, VHDD_CDL_EARLIEST)},
	};
	struct vhdd_cdl_command command = begun_at_10;
	struct vhdd_cdl_verdict verdict = judge(set, &command, 15 * MS);

	(void)state;
	assert_true(vhdd_cdl_end_ns(set, &waiting) == NEVER);
	assert_true(vhdd_cdl_end_ns(set, &command) == NEVER);
	assert_int_equal(vhdd_cdl_applies(set, &command, 99 * MS), 1);
	/* As long as a limit allows is not longer. */
	assert_int_equal(verdict.inactive | verdict.active | verdict.guideline, 0);
	assert_int_equal(judge(set, &command, 15 * MS + 1).active, 1);
	assert_int_equal(judge(set, &command, 20 * MS + FASTEST).guideline, 0);
	assert_int_equal(judge(set, &command, 20 * MS + FASTEST + 1).guideline, 1);
	command.begun_ns++;
	assert_int_equal(judge(set, &command, 15 * MS).inactive, 1);
}

static void complete_unavailable_ends_a_command(void **state)
{
	struct vhdd_cdl_descriptor set[VHDD_CDL_DESCRIPTORS] = {
		{.inactive = limit(30, VHDD_CDL_UNAVAILABLE)},
	};
	struct vhdd_cdl_verdict verdict;

	(void)state;
	/* An inactive time ends with the wait. */
	assert_int_equal(vhdd_cdl_end_ns(set, &waiting), 30 * MS + 1);
	assert_true(vhdd_cdl_end_ns(set, &begun_at_10) == NEVER);
	verdict = vhdd_cdl_judge(set, &waiting, 30 * MS + 1, true);
	assert_true(verdict.unavailable);
	assert_int_equal(verdict.inactive, 1);
	assert_int_equal(verdict.active, 0);
	/* An active time begins when it ends. */
	set[0] = (struct vhdd_cdl_descriptor){.active = limit(30, VHDD_CDL_UNAVAILABLE)};
	assert_true(vhdd_cdl_end_ns(set, &waiting) == NEVER);
	assert_int_equal(vhdd_cdl_end_ns(set, &begun_at_10), 40 * MS + 1);
	/* A guideline is for both, on top of the fastest time. */
	set[0] = (struct vhdd_cdl_descriptor){.guideline = limit(30, VHDD_CDL_UNAVAILABLE)};
	assert_int_equal(vhdd_cdl_end_ns(set, &waiting), 30 * MS + FASTEST + 1);
	assert_int_equal(vhdd_cdl_end_ns(set, &begun_at_10), 30 * MS + FASTEST + 1);
	/* The first of several. */
	set[0].active = limit(10, VHDD_CDL_UNAVAILABLE);
	assert_int_equal(vhdd_cdl_end_ns(set, &begun_at_10), 20 * MS + 1);
}

static void next_limit_goes_on_with_the_next_descriptor(void **state)
{
	const struct vhdd_cdl_descriptor set[VHDD_CDL_DESCRIPTORS] = {
		{.inactive = limit(90, VHDD_CDL_UNAVAILABLE), .guideline = limit(20, VHDD_CDL_NEXT)},
		{.inactive = limit(50, VHDD_CDL_UNAVAILABLE),
		 .guideline = limit(40, VHDD_CDL_EARLIEST)},
	};
	struct vhdd_cdl_counts counts[VHDD_CDL_DESCRIPTORS] = {{0}};
	struct vhdd_cdl_verdict verdict;

	(void)state;
	assert_int_equal(vhdd_cdl_applies(set, &waiting, 20 * MS + FASTEST), 1);
	assert_int_equal(vhdd_cdl_applies(set, &waiting, 20 * MS + FASTEST + 1), 2);
	assert_int_equal(vhdd_cdl_applies(set, &waiting, 99 * MS), 2);
	/* The first one's 90 ms do not apply any more. */
	assert_int_equal(vhdd_cdl_end_ns(set, &waiting), 50 * MS + 1);
	verdict = vhdd_cdl_judge(set, &waiting, 50 * MS + 1, true);
	assert_int_equal(verdict.used, 3);
	assert_int_equal(verdict.guideline, 3);
	assert_int_equal(verdict.inactive, 2);
	vhdd_cdl_count(counts, &verdict);
	assert_int_equal(counts[0].commands, 1);
	assert_int_equal(counts[0].unavailable, 0);
	assert_int_equal(counts[1].unavailable, 1);
}

/* What the next descriptor would have ended long ago ends when it begins to apply. */
static void next_limit_may_end_a_command_at_once(void **state)
{
	const struct vhdd_cdl_descriptor set[VHDD_CDL_DESCRIPTORS] = {
		{.guideline = limit(20, VHDD_CDL_NEXT)},
		{.inactive = limit(5, VHDD_CDL_UNAVAILABLE)},
	};

	(void)state;
	assert_int_equal(vhdd_cdl_end_ns(set, &waiting), 20 * MS + FASTEST + 1);
}

static void no_limit_goes_on_without_one(void **state)
{
	struct vhdd_cdl_descriptor set[VHDD_CDL_DESCRIPTORS] = {
		{.inactive = limit(50, VHDD_CDL_UNAVAILABLE),
		 .guideline = limit(20, VHDD_CDL_NO_LIMIT)},
	};
	struct vhdd_cdl_verdict verdict;

	(void)state;
	assert_int_equal(vhdd_cdl_applies(set, &waiting, 20 * MS + FASTEST), 1);
	assert_int_equal(vhdd_cdl_applies(set, &waiting, 20 * MS + FASTEST + 1), 0);
	assert_true(vhdd_cdl_end_ns(set, &waiting) == NEVER);
	verdict = judge(set, &waiting, 99 * MS);
	assert_int_equal(verdict.used, 1);
	assert_int_equal(verdict.guideline, 1);
	assert_int_equal(verdict.inactive, 0);
	/* Unless it has ended before, or ends at that moment. */
	set[0].inactive.ns = 10 * MS;
	assert_int_equal(vhdd_cdl_end_ns(set, &waiting), 10 * MS + 1);
	set[0].inactive.ns = 20 * MS + FASTEST;
	assert_int_equal(vhdd_cdl_end_ns(set, &waiting), 20 * MS + FASTEST + 1);
}

/* Parameters that were checked have no such descriptor. */
static void after_the_last_descriptor_there_is_none(void **state)
{
	const struct vhdd_cdl_descriptor set[VHDD_CDL_DESCRIPTORS] = {
		[6] = {.guideline = limit(20, VHDD_CDL_NEXT)},
	};
	const struct vhdd_cdl_command command = {7, FASTEST, VHDD_CDL_WAITING};

	(void)state;
	assert_int_equal(vhdd_cdl_applies(set, &command, 99 * MS), 0);
	assert_true(vhdd_cdl_end_ns(set, &command) == NEVER);
}

static void counts_each_descriptor_for_itself(void **state)
{
	const struct vhdd_cdl_descriptor set[VHDD_CDL_DESCRIPTORS] = {
		[6] = {limit(5, VHDD_CDL_EARLIEST), limit(5, VHDD_CDL_EARLIEST),
		       limit(30, VHDD_CDL_EARLIEST)},
	};
	const struct vhdd_cdl_command command = {7, FASTEST, 4 * MS};
	struct vhdd_cdl_counts counts[VHDD_CDL_DESCRIPTORS] = {{0}};
	struct vhdd_cdl_verdict met = judge(set, &command, 9 * MS);
	struct vhdd_cdl_verdict missed = judge(set, &command, 99 * MS);

	(void)state;
	vhdd_cdl_count(counts, &met);
	vhdd_cdl_count(counts, &met);
	vhdd_cdl_count(counts, &missed);
	assert_int_equal(counts[6].commands, 3);
	assert_int_equal(counts[6].met, 2);
	assert_int_equal(counts[6].inactive, 0);
	assert_int_equal(counts[6].active, 1);
	assert_int_equal(counts[6].guideline, 1);
	assert_int_equal(counts[6].unavailable, 0);
	for (unsigned i = 0; i < 6; i++)
		assert_int_equal(counts[i].commands, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_descriptor_no_rule_applies),
		cmocka_unit_test(an_empty_descriptor_limits_nothing),
		cmocka_unit_test(complete_earliest_only_counts),
		cmocka_unit_test(complete_unavailable_ends_a_command),
		cmocka_unit_test(next_limit_goes_on_with_the_next_descriptor),
		cmocka_unit_test(next_limit_may_end_a_command_at_once),
		cmocka_unit_test(no_limit_goes_on_without_one),
		cmocka_unit_test(after_the_last_descriptor_there_is_none),
		cmocka_unit_test(counts_each_descriptor_for_itself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
