// SPDX-License-Identifier: Apache-2.0
#include "plan.h"

/* Flags that do not affect where the data is. A shared extent is copied before it is written. */
#define HARMLESS (FIEMAP_EXTENT_LAST | FIEMAP_EXTENT_MERGED | FIEMAP_EXTENT_SHARED)

/* Some flags imply others: the more specific one comes first. */
static const struct {
	uint32_t flag;
	enum pbs_reason reason;
	const char *text;
} refused[] = {
	{FIEMAP_EXTENT_DELALLOC, PBS_REASON_DELALLOC, "the extent is not allocated on the disk yet"},
	{FIEMAP_EXTENT_UNKNOWN, PBS_REASON_UNKNOWN, "the extent's place on the disk is not known"},
	{FIEMAP_EXTENT_DATA_INLINE, PBS_REASON_INLINE, "the data lies in the file's metadata"},
	{FIEMAP_EXTENT_DATA_TAIL, PBS_REASON_TAIL, "the data shares a block with other files"},
	{FIEMAP_EXTENT_NOT_ALIGNED, PBS_REASON_NOT_ALIGNED, "the extent is not aligned to blocks"},
	{FIEMAP_EXTENT_DATA_ENCRYPTED, PBS_REASON_ENCRYPTED, "the extent is encrypted"},
	{FIEMAP_EXTENT_ENCODED, PBS_REASON_ENCODED, "the extent is encoded, e.g. compressed"},
	{FIEMAP_EXTENT_UNWRITTEN, PBS_REASON_UNWRITTEN, "the extent is allocated but not written"},
};

int pbs_extent_check(uint32_t flags, struct pbs_failure *failure)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		if (flags & refused[i].flag)
			return pbs_fail(failure, refused[i].reason, "%s", refused[i].text);
		flags &= ~refused[i].flag;
	}
	if (flags & ~HARMLESS)
		return pbs_fail(failure, PBS_REASON_UNKNOWN, "the extent has unknown flags, 0x%x",
				flags & ~HARMLESS);
	return 0;
}

static int check_place(const struct pbs_geometry *geometry, const struct fiemap_extent *extent,
		       struct pbs_failure *failure)
{
	if (extent->fe_physical % geometry->block_bytes ||
	    extent->fe_logical % geometry->block_bytes)
		return pbs_fail(failure, PBS_REASON_NOT_ALIGNED,
				"the extent is not aligned to the disk's blocks");
	if (extent->fe_physical > geometry->bytes ||
	    extent->fe_length > geometry->bytes - extent->fe_physical)
		return pbs_fail(failure, PBS_REASON_RANGE,
				"the extent at byte %llu, length %llu, is outside the partition",
				(unsigned long long)extent->fe_physical,
				(unsigned long long)extent->fe_length);
	return 0;
}

/* Appends a piece unless the plan is full. */
static bool append(struct pbs_plan *plan, struct pbs_piece piece)
{
	if (plan->count == PBS_MAX_PIECES)
		return false;
	piece.at = plan->bytes;
	plan->piece[plan->count++] = piece;
	plan->bytes += piece.bytes;
	return true;
}

/* The bytes of the disk from physical, in as many pieces as it takes. */
static bool append_blocks(struct pbs_plan *plan, const struct pbs_geometry *geometry,
			  uint64_t physical, uint64_t bytes)
{
	while (bytes > 0) {
		uint64_t disk = geometry->start_bytes + physical;
		struct pbs_piece piece = {
			.lba = disk / geometry->block_bytes,
			.skip = (uint32_t)(disk % geometry->block_bytes),
		};

		piece.bytes = geometry->command_bytes - piece.skip;
		if (piece.bytes > bytes)
			piece.bytes = bytes;
		piece.blocks = (uint32_t)((piece.skip + piece.bytes + geometry->block_bytes - 1) /
					  geometry->block_bytes);
		if (!append(plan, piece))
			return false;
		physical += piece.bytes;
		bytes -= piece.bytes;
	}
	return true;
}

static bool append_hole(struct pbs_plan *plan, uint64_t bytes)
{
	return bytes == 0 || append(plan, (struct pbs_piece){.bytes = bytes});
}

int pbs_plan_make(const struct pbs_geometry *geometry, const struct fiemap_extent *extents,
		  unsigned count, bool complete, uint64_t offset, uint64_t length,
		  struct pbs_plan *plan, struct pbs_failure *failure)
{
	uint64_t end = offset + length;
	uint64_t known = 0; /* the end of the extents so far */

	plan->count = 0;
	plan->bytes = 0;
	for (unsigned i = 0; i < count; i++) {
		const struct fiemap_extent *extent = &extents[i];
		uint64_t extent_end = extent->fe_logical + extent->fe_length;
		uint64_t from = extent->fe_logical > offset ? extent->fe_logical : offset;
		uint64_t to = extent_end < end ? extent_end : end;

		if (extent_end <= extent->fe_logical || extent->fe_logical < known)
			return pbs_fail(failure, PBS_REASON_MAP,
					"FIEMAP: extents overlap or are empty");
		known = extent_end;
		if (extent_end <= offset)
			continue;
		if (extent->fe_logical >= end)
			break;
		if (pbs_extent_check(extent->fe_flags, failure) ||
		    check_place(geometry, extent, failure))
			return -1;
		if (!append_hole(plan, from - (offset + plan->bytes)) ||
		    !append_blocks(plan, geometry, extent->fe_physical + (from - extent->fe_logical),
				   to - from))
			return 0;
	}
	if (complete || known >= end)
		append_hole(plan, length - plan->bytes);
	if (plan->bytes == 0)
		return pbs_fail(failure, PBS_REASON_MAP, "FIEMAP: no extent of the range");
	return 0;
}

static bool piece_equal(const struct pbs_piece *one, const struct pbs_piece *other)
{
	return one->lba == other->lba && one->blocks == other->blocks && one->skip == other->skip &&
	       one->at == other->at && one->bytes == other->bytes;
}

bool pbs_plan_equal(const struct pbs_plan *one, const struct pbs_plan *other)
{
	if (one->count != other->count)
		return false;
	for (unsigned i = 0; i < one->count; i++)
		if (!piece_equal(&one->piece[i], &other->piece[i]))
			return false;
	return true;
}
