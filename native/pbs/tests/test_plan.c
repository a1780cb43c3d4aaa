// SPDX-License-Identifier: Apache-2.0
#include "unit.h"

#include "plan.h"

#include "captured_fiemap.h"

#include <string.h>

#define KIB UINT64_C(1024)

static const struct pbs_geometry geometry = {
	.start_bytes = 1024 * KIB,
	.bytes = 64 * 1024 * KIB,
	.block_bytes = 512,
	.command_bytes = 128 * 1024,
};

static struct fiemap_extent extent(uint64_t logical, uint64_t physical, uint64_t length,
				   uint32_t flags)
{
	return (struct fiemap_extent){
		.fe_logical = logical,
		.fe_physical = physical,
		.fe_length = length,
		.fe_flags = flags,
	};
}

static void assert_piece(const struct pbs_plan *plan, unsigned number, uint64_t lba, uint32_t blocks,
			 uint32_t skip, uint64_t at, uint64_t bytes)
{
	const struct pbs_piece *piece = &plan->piece[number];

	assert_true(number < plan->count);
	assert_int_equal(piece->lba, lba);
	assert_int_equal(piece->blocks, blocks);
	assert_int_equal(piece->skip, skip);
	assert_int_equal(piece->at, at);
	assert_int_equal(piece->bytes, bytes);
}

/* The partition begins at block 2048, the extent 8 blocks behind it. */
static void a_range_is_where_the_partition_and_the_extent_are(void **state)
{
	const struct fiemap_extent one = extent(0, 4096, 64 * KIB, FIEMAP_EXTENT_LAST);
	struct pbs_failure failure;
	struct pbs_plan plan;

	(void)state;
	assert_int_equal(
		pbs_plan_make(&geometry, &one, 1, true, 0, 64 * KIB, &plan, &failure), 0);
	assert_int_equal(plan.count, 1);
	assert_int_equal(plan.bytes, 64 * KIB);
	assert_piece(&plan, 0, 2048 + 8, 128, 0, 0, 64 * KIB);
}

static void an_unaligned_range_reads_whole_blocks(void **state)
{
	const struct fiemap_extent one = extent(0, 4096, 64 * KIB, FIEMAP_EXTENT_LAST);
	struct pbs_failure failure;
	struct pbs_plan plan;

	(void)state;
	assert_int_equal(pbs_plan_make(&geometry, &one, 1, true, 1000, 100, &plan, &failure), 0);
	assert_int_equal(plan.count, 1);
	assert_piece(&plan, 0, 2048 + 8 + 1, 2, 1000 - 512, 0, 100);
	assert_int_equal(pbs_plan_make(&geometry, &one, 1, true, 1024, 1, &plan, &failure), 0);
	assert_piece(&plan, 0, 2048 + 8 + 2, 1, 0, 0, 1);
}

static void commands_have_a_largest_size(void **state)
{
	const struct fiemap_extent one = extent(0, 0, 1024 * KIB, FIEMAP_EXTENT_LAST);
	struct pbs_failure failure;
	struct pbs_plan plan;

	(void)state;
	assert_int_equal(
		pbs_plan_make(&geometry, &one, 1, true, 10, 256 * KIB, &plan, &failure), 0);
	assert_int_equal(plan.count, 3);
	assert_piece(&plan, 0, 2048, 256, 10, 0, 128 * KIB - 10);
	assert_piece(&plan, 1, 2048 + 256, 256, 0, 128 * KIB - 10, 128 * KIB);
	assert_piece(&plan, 2, 2048 + 512, 1, 0, 256 * KIB - 10, 10);
}

static void a_disk_may_have_large_blocks(void **state)
{
	const struct pbs_geometry large = {
		.start_bytes = 1024 * KIB,
		.bytes = 1024 * KIB,
		.block_bytes = 4096,
		.command_bytes = 128 * 1024,
	};
	const struct fiemap_extent one = extent(8192, 4096, 64 * KIB, FIEMAP_EXTENT_LAST);
	struct pbs_failure failure;
	struct pbs_plan plan;

	(void)state;
	assert_int_equal(pbs_plan_make(&large, &one, 1, true, 8192 + 5000, 4096, &plan, &failure), 0);
	assert_piece(&plan, 0, 256 + 1 + 1, 2, 5000 - 4096, 0, 4096);
}

/* As FIEMAP answered for a file written at 0, 16 KiB and 40 KiB, and 1 byte at 64 KiB. */
static void holes_are_pieces_without_blocks(void **state)
{
	const struct fiemap_extent extents[] = {
		extent(0, 80 * KIB, 8 * KIB, 0),
		extent(16 * KIB, 40 * KIB, 8 * KIB, FIEMAP_EXTENT_MERGED),
		extent(40 * KIB, 20 * KIB, 4 * KIB, FIEMAP_EXTENT_SHARED | FIEMAP_EXTENT_LAST),
	};
	struct pbs_failure failure;
	struct pbs_plan plan;

	(void)state;
	assert_int_equal(pbs_plan_make(&geometry, extents, 3, true, 4 * KIB, 60 * KIB, &plan, &failure),
			 0);
	assert_int_equal(plan.count, 6);
	assert_int_equal(plan.bytes, 60 * KIB);
	assert_piece(&plan, 0, 2048 + 168, 8, 0, 0, 4 * KIB);
	assert_piece(&plan, 1, 0, 0, 0, 4 * KIB, 8 * KIB);
	assert_piece(&plan, 2, 2048 + 80, 16, 0, 12 * KIB, 8 * KIB);
	assert_piece(&plan, 3, 0, 0, 0, 20 * KIB, 16 * KIB);
	assert_piece(&plan, 4, 2048 + 40, 8, 0, 36 * KIB, 4 * KIB);
	assert_piece(&plan, 5, 0, 0, 0, 40 * KIB, 20 * KIB);
}

static void a_range_may_be_a_hole_only(void **state)
{
	const struct fiemap_extent later = extent(1024 * KIB, 0, 4 * KIB, FIEMAP_EXTENT_LAST);
	struct pbs_failure failure;
	struct pbs_plan plan;

	(void)state;
	assert_int_equal(pbs_plan_make(&geometry, NULL, 0, true, 7, 9, &plan, &failure), 0);
	assert_int_equal(plan.count, 1);
	assert_piece(&plan, 0, 0, 0, 0, 0, 9);
	assert_int_equal(pbs_plan_make(&geometry, &later, 1, true, 7, 9, &plan, &failure), 0);
	assert_piece(&plan, 0, 0, 0, 0, 0, 9);
}

static void each_flag_has_its_reason(void **state)
{
	static const struct {
		uint32_t flags;
		enum pbs_reason reason;
	} cases[] = {
		{0, PBS_REASON_NONE},
		{FIEMAP_EXTENT_LAST, PBS_REASON_NONE},
		{FIEMAP_EXTENT_MERGED, PBS_REASON_NONE},
		{FIEMAP_EXTENT_SHARED, PBS_REASON_NONE},
		{FIEMAP_EXTENT_UNKNOWN, PBS_REASON_UNKNOWN},
		/* What sets one flag sets the other, too (fiemap.rst). */
		{FIEMAP_EXTENT_DELALLOC | FIEMAP_EXTENT_UNKNOWN, PBS_REASON_DELALLOC},
		{FIEMAP_EXTENT_DELALLOC, PBS_REASON_DELALLOC},
		{FIEMAP_EXTENT_ENCODED, PBS_REASON_ENCODED},
		{FIEMAP_EXTENT_DATA_ENCRYPTED | FIEMAP_EXTENT_ENCODED, PBS_REASON_ENCRYPTED},
		{FIEMAP_EXTENT_DATA_ENCRYPTED, PBS_REASON_ENCRYPTED},
		{FIEMAP_EXTENT_NOT_ALIGNED, PBS_REASON_NOT_ALIGNED},
		{FIEMAP_EXTENT_DATA_INLINE | FIEMAP_EXTENT_NOT_ALIGNED, PBS_REASON_INLINE},
		{FIEMAP_EXTENT_DATA_INLINE, PBS_REASON_INLINE},
		{FIEMAP_EXTENT_DATA_TAIL | FIEMAP_EXTENT_NOT_ALIGNED, PBS_REASON_TAIL},
		{FIEMAP_EXTENT_DATA_TAIL, PBS_REASON_TAIL},
		{FIEMAP_EXTENT_UNWRITTEN, PBS_REASON_UNWRITTEN},
		{FIEMAP_EXTENT_UNWRITTEN | FIEMAP_EXTENT_LAST, PBS_REASON_UNWRITTEN},
		{0x40000000, PBS_REASON_UNKNOWN},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct fiemap_extent one = extent(0, 4096, 64 * KIB, cases[i].flags);
		struct pbs_failure failure = {0};
		struct pbs_plan plan;
		int result =
			pbs_plan_make(&geometry, &one, 1, true, 0, 64 * KIB, &plan, &failure);

		assert_int_equal(result, cases[i].reason == PBS_REASON_NONE ? 0 : -1);
		assert_int_equal(failure.reason, cases[i].reason);
	}
}

static void only_extents_of_the_range_count(void **state)
{
	const struct fiemap_extent extents[] = {
		extent(0, 4 * KIB, 4 * KIB, FIEMAP_EXTENT_UNWRITTEN),
		extent(4 * KIB, 8 * KIB, 4 * KIB, 0),
		extent(8 * KIB, 0, 4 * KIB, FIEMAP_EXTENT_DELALLOC),
	};
	struct pbs_failure failure;
	struct pbs_plan plan;

	(void)state;
	assert_int_equal(
		pbs_plan_make(&geometry, extents, 3, true, 4 * KIB, 4 * KIB, &plan, &failure), 0);
	assert_int_equal(plan.count, 1);
	assert_int_equal(
		pbs_plan_make(&geometry, extents, 3, true, 4 * KIB, 4 * KIB + 1, &plan, &failure), -1);
	assert_int_equal(
		pbs_plan_make(&geometry, extents, 3, true, 4 * KIB - 1, 2, &plan, &failure), -1);
}

static void an_extent_outside_of_the_partition_is_refused(void **state)
{
	static const struct {
		uint64_t physical;
		uint64_t length;
		enum pbs_reason reason;
	} cases[] = {
		{64 * 1024 * KIB - 4096, 4096, PBS_REASON_NONE},
		{64 * 1024 * KIB - 4096, 8192, PBS_REASON_RANGE},
		{64 * 1024 * KIB, 4096, PBS_REASON_RANGE},
		{UINT64_MAX - 511, 4096, PBS_REASON_RANGE},
		{100, 4096, PBS_REASON_NOT_ALIGNED},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct fiemap_extent one = extent(0, cases[i].physical, cases[i].length, 0);
		struct pbs_failure failure = {0};
		struct pbs_plan plan;

		pbs_plan_make(&geometry, &one, 1, true, 0, 4096, &plan, &failure);
		assert_int_equal(failure.reason, cases[i].reason);
	}
}

static void an_answer_without_sense_is_refused(void **state)
{
	const struct fiemap_extent overlap[] = {extent(0, 0, 8192, 0), extent(4096, 16384, 8192, 0)};
	const struct fiemap_extent backwards[] = {extent(8192, 0, 4096, 0), extent(0, 16384, 4096, 0)};
	const struct fiemap_extent empty = extent(0, 0, 0, 0);
	const struct fiemap_extent endless = extent(4096, 0, UINT64_MAX, 0);
	struct pbs_failure failure;
	struct pbs_plan plan;

	(void)state;
	assert_int_equal(pbs_plan_make(&geometry, overlap, 2, true, 0, 9000, &plan, &failure), -1);
	assert_int_equal(failure.reason, PBS_REASON_MAP);
	assert_int_equal(pbs_plan_make(&geometry, backwards, 2, true, 0, 9000, &plan, &failure), -1);
	assert_int_equal(failure.reason, PBS_REASON_MAP);
	assert_int_equal(pbs_plan_make(&geometry, &empty, 1, true, 0, 9000, &plan, &failure), -1);
	assert_int_equal(failure.reason, PBS_REASON_MAP);
	assert_int_equal(pbs_plan_make(&geometry, &endless, 1, true, 0, 9000, &plan, &failure), -1);
	assert_int_equal(failure.reason, PBS_REASON_MAP);
	/* More extents are said to come, but none was told. */
	assert_int_equal(pbs_plan_make(&geometry, NULL, 0, false, 0, 9000, &plan, &failure), -1);
	assert_int_equal(failure.reason, PBS_REASON_MAP);
}

static void what_is_too_much_is_covered_in_part(void **state)
{
	struct fiemap_extent extents[PBS_MAX_PIECES + 8];
	struct pbs_failure failure;
	struct pbs_plan plan;

	(void)state;
	for (unsigned i = 0; i < COUNT(extents); i++)
		extents[i] = extent(i * 4096, 8192 * i, 4096, 0);
	assert_int_equal(pbs_plan_make(&geometry, extents, COUNT(extents), true, 0,
				       COUNT(extents) * 4096, &plan, &failure),
			 0);
	assert_int_equal(plan.count, PBS_MAX_PIECES);
	assert_int_equal(plan.bytes, PBS_MAX_PIECES * 4096);
	/* The answer of FIEMAP is cut: what lies behind is not taken for a hole. */
	assert_int_equal(pbs_plan_make(&geometry, extents, 2, false, 0, 16384, &plan, &failure), 0);
	assert_int_equal(plan.bytes, 8192);
}

static void plans_are_compared_by_what_they_read(void **state)
{
	struct fiemap_extent one = extent(0, 4096, 64 * KIB, 0);
	struct pbs_failure failure;
	struct pbs_plan before;
	struct pbs_plan after;

	(void)state;
	pbs_plan_make(&geometry, &one, 1, true, 0, 32 * KIB, &before, &failure);
	/* The file was appended to. */
	one.fe_length = 128 * KIB;
	pbs_plan_make(&geometry, &one, 1, true, 0, 32 * KIB, &after, &failure);
	assert_true(pbs_plan_equal(&before, &after));
	/* Its begin has moved by a block. */
	one.fe_physical += 512;
	pbs_plan_make(&geometry, &one, 1, true, 0, 32 * KIB, &after, &failure);
	assert_false(pbs_plan_equal(&before, &after));
	/* It was cut. */
	pbs_plan_make(&geometry, NULL, 0, true, 0, 32 * KIB, &after, &failure);
	assert_false(pbs_plan_equal(&before, &after));
}

/* Plans the whole file from a captured answer. */
static int plan_captured(const uint8_t *answer, uint64_t length, struct pbs_plan *plan,
			 struct pbs_failure *failure)
{
	struct fiemap_extent extents[8];
	struct fiemap head;

	memcpy(&head, answer, sizeof(head));
	assert_true(head.fm_mapped_extents <= COUNT(extents));
	memcpy(extents, answer + sizeof(head), head.fm_mapped_extents * sizeof(extents[0]));
	failure->reason = PBS_REASON_NONE;
	return pbs_plan_make(&geometry, extents, head.fm_mapped_extents, true, 0, length, plan,
			     failure);
}

static void captured_answers_give_the_places_of_files(void **state)
{
	struct pbs_failure failure;
	struct pbs_plan plan;

	(void)state;
	assert_int_equal(plan_captured(ext4_plain, 100000, &plan, &failure), 0);
	assert_int_equal(plan.count, 1);
	assert_piece(&plan, 0, 2048 + 9307136 / 512, 196, 0, 0, 100000);
	assert_int_equal(plan_captured(xfs_plain, 100000, &plan, &failure), 0);
	assert_int_equal(plan.count, 1);
	assert_piece(&plan, 0, 2048 + 98304 / 512, 196, 0, 0, 100000);

	/* A block of this ext4 has 1024 bytes. */
	assert_int_equal(plan_captured(ext4_holes, 300000, &plan, &failure), 0);
	assert_int_equal(plan.count, 6);
	assert_piece(&plan, 0, 2048 + 9438208 / 512, 10, 0, 0, 5120);
	assert_piece(&plan, 1, 0, 0, 0, 5120, 65536 - 5120);
	assert_piece(&plan, 2, 2048 + 9503744 / 512, 8, 0, 65536, 4096);
	assert_piece(&plan, 3, 0, 0, 0, 69632, 199680 - 69632);
	assert_piece(&plan, 4, 2048 + 9637888 / 512, 2, 0, 199680, 1024);
	assert_piece(&plan, 5, 0, 0, 0, 200704, 300000 - 200704);
	assert_int_equal(plan_captured(xfs_holes, 300000, &plan, &failure), 0);
	assert_int_equal(plan.count, 6);
	assert_piece(&plan, 4, 2048 + 53248 / 512, 8, 0, 196608, 4096);
}

static void captured_answers_give_the_reasons(void **state)
{
	static const struct {
		const uint8_t *answer;
		uint64_t length;
		enum pbs_reason reason;
	} cases[] = {
		{ext4_unwritten, 65536, PBS_REASON_UNWRITTEN},
		{xfs_unwritten, 65536, PBS_REASON_UNWRITTEN},
		{ext4_delalloc, 65536, PBS_REASON_DELALLOC},
		{xfs_delalloc, 65536, PBS_REASON_DELALLOC},
		{ext4_inline, 5, PBS_REASON_INLINE},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct pbs_failure failure;
		struct pbs_plan plan;

		assert_int_equal(
			plan_captured(cases[i].answer, cases[i].length, &plan, &failure), -1);
		assert_int_equal(failure.reason, cases[i].reason);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_range_is_where_the_partition_and_the_extent_are),
		cmocka_unit_test(an_unaligned_range_reads_whole_blocks),
		cmocka_unit_test(commands_have_a_largest_size),
		cmocka_unit_test(a_disk_may_have_large_blocks),
		cmocka_unit_test(holes_are_pieces_without_blocks),
		cmocka_unit_test(a_range_may_be_a_hole_only),
		cmocka_unit_test(each_flag_has_its_reason),
		cmocka_unit_test(only_extents_of_the_range_count),
		cmocka_unit_test(an_extent_outside_of_the_partition_is_refused),
		cmocka_unit_test(an_answer_without_sense_is_refused),
		cmocka_unit_test(what_is_too_much_is_covered_in_part),
		cmocka_unit_test(plans_are_compared_by_what_they_read),
		cmocka_unit_test(captured_answers_give_the_places_of_files),
		cmocka_unit_test(captured_answers_give_the_reasons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
