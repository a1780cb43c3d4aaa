/*
 * Fuzzing (libFuzzer) of what comes from outside: the answer of FIEMAP, and sense data. Whatever the
 * extents say, a plan must stay within the partition and cover the range without gaps.
 */
#include "plan.h"
#include "sense.h"

#include <stdlib.h>
#include <string.h>

#define MAX_EXTENTS 64

struct head {
	uint64_t offset;
	uint64_t length;
	uint8_t complete;
	uint8_t large_blocks;
};

static const struct pbs_geometry small_blocks = {
	.start_bytes = 1 << 20, .bytes = 1 << 30, .block_bytes = 512, .command_bytes = 65536};
static const struct pbs_geometry large_blocks = {
	.start_bytes = 1 << 20, .bytes = 1 << 30, .block_bytes = 4096, .command_bytes = 65536};

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check_piece(const struct pbs_geometry *geometry, const struct pbs_piece *piece)
{
	uint64_t blocks = piece->blocks;

	require(piece->bytes > 0);
	if (blocks == 0)
		return;
	require(blocks * geometry->block_bytes <= geometry->command_bytes);
	require(piece->skip < geometry->block_bytes);
	require(piece->skip + piece->bytes <= blocks * geometry->block_bytes);
	require(piece->lba >= geometry->start_bytes / geometry->block_bytes);
	require(piece->lba + blocks <=
		(geometry->start_bytes + geometry->bytes) / geometry->block_bytes);
}

static void check_plan(const struct pbs_geometry *geometry, const struct pbs_plan *plan,
		       uint64_t length)
{
	uint64_t at = 0;

	require(plan->count >= 1 && plan->count <= PBS_MAX_PIECES);
	for (unsigned i = 0; i < plan->count; i++) {
		check_piece(geometry, &plan->piece[i]);
		require(plan->piece[i].at == at);
		at += plan->piece[i].bytes;
	}
	require(at == plan->bytes && at <= length);
	require(pbs_plan_equal(plan, plan));
}

static void fuzz_plan(const uint8_t *data, size_t size)
{
	struct fiemap_extent extents[MAX_EXTENTS];
	const struct pbs_geometry *geometry;
	struct pbs_failure failure;
	struct pbs_plan plan;
	struct head head;
	size_t count;

	if (size < sizeof(head))
		return;
	memcpy(&head, data, sizeof(head));
	count = (size - sizeof(head)) / sizeof(extents[0]);
	if (count > MAX_EXTENTS)
		count = MAX_EXTENTS;
	memcpy(extents, data + sizeof(head), count * sizeof(extents[0]));
	/* As callers see to it: the range lies within a file. */
	head.offset %= (uint64_t)INT64_MAX / 2;
	head.length = head.length % ((uint64_t)INT64_MAX / 2) + 1;
	geometry = head.large_blocks % 2 ? &large_blocks : &small_blocks;
	if (pbs_plan_make(geometry, extents, (unsigned)count, head.complete % 2, head.offset,
			  head.length, &plan, &failure) == 0)
		check_plan(geometry, &plan, head.length);
}

static void fuzz_sense(const uint8_t *data, size_t size)
{
	struct pbs_sense sense;
	char text[64];

	if (pbs_sense_parse(data, size, &sense))
		pbs_sense_format(&sense, text, sizeof(text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	if (data[0] % 2)
		fuzz_sense(data + 1, size - 1);
	else
		fuzz_plan(data + 1, size - 1);
	return 0;
}
