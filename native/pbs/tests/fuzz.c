// SPDX-License-Identifier: Apache-2.0
/*
 * Fuzzing (libFuzzer) of what comes from outside: the answer of FIEMAP, sense data, and what a drive says of its
 * command duration limits. Whatever the extents say, a plan must stay within the partition and cover the range
 * without gaps.
 */
#include "cdl_ata.h"
#include "cdl_scsi.h"
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

/* What a limit may be, and every text that is made of it. */
static void check_limits(const struct pbs_cdl *cdl)
{
	for (unsigned direction = 0; direction < PBS_CDL_DIRECTIONS; direction++)
		for (unsigned i = 0; i < PBS_CDL_DESCRIPTORS; i++) {
			const struct pbs_cdl_descriptor *descriptor = &cdl->descriptor[direction][i];
			char text[PBS_TEXT];
			char cut[20];

			pbs_cdl_format(descriptor, cut, sizeof(cut));
			require(strlen(pbs_cdl_format(descriptor, text, sizeof(text))) < PBS_TEXT - 1);
			for (unsigned time = 0; time < PBS_CDL_TIMES; time++)
				require(descriptor->limit[time].ns <= UINT16_MAX * UINT64_C(500000000));
			for (unsigned c = 0; c < PBS_CDL_COUNTERS; c++)
				require(pbs_cdl_counts_name(descriptor->counter[c].counts) != NULL);
		}
}

/* Three pages of logs, one after the other; zeros behind the input. */
static void fuzz_logs(const uint8_t *data, size_t size)
{
	uint8_t pages[3 * PBS_LOG_BYTES] = {0};
	struct pbs_failure failure;
	struct pbs_cdl cdl;

	memcpy(pages, data, size < sizeof(pages) ? size : sizeof(pages));
	pbs_cdl_init(&cdl);
	pbs_ata_log_pages(pages, PBS_LOG_CDL);
	pbs_ata_log_lists(pages, PBS_LOG_CDL, pages[9], &failure);
	pbs_cdl_ata_capabilities(pages, &cdl, &failure);
	pbs_cdl_ata_settings(pages, &cdl, &failure);
	pbs_cdl_ata_descriptors(pages + PBS_LOG_BYTES, &cdl);
	pbs_cdl_ata_statistics(pages + 2 * PBS_LOG_BYTES, &cdl, &failure);
	check_limits(&cdl);
}

static void fuzz_pages(const uint8_t *data, size_t size)
{
	struct pbs_failure failure;
	struct pbs_cdl cdl;

	if (size == 0)
		return;
	pbs_cdl_init(&cdl);
	pbs_cdl_mode_page(data + 1, size - 1, data[0] & 1 ? PBS_CDL_READ : PBS_CDL_WRITE, data[0] & 2,
			  &cdl, &failure);
	pbs_cdl_log_page(data + 1, size - 1, &cdl, &failure);
	check_limits(&cdl);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const targets[])(const uint8_t *data, size_t size) = {
		fuzz_plan,
		fuzz_sense,
		fuzz_logs,
		fuzz_pages,
	};

	if (size > 0)
		targets[data[0] % (sizeof(targets) / sizeof(targets[0]))](data + 1, size - 1);
	return 0;
}
