/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a file's extents to commands: which blocks of the disk hold a range of a file. Pure functions;
 * the rules for extents are those of Documentation/filesystems/fiemap.rst of the kernel.
 */
#ifndef PBS_PLAN_H
#define PBS_PLAN_H

#include "failure.h"

#include <linux/fiemap.h>
#include <stdbool.h>

/* The queue depth of a drive with NCQ. */
#define PBS_MAX_PIECES 32

/* Where the file system lies. All bytes are multiples of block_bytes. */
struct pbs_geometry {
	uint64_t start_bytes; /* of the partition, from the start of the disk */
	uint64_t bytes;	      /* of the partition */
	uint32_t block_bytes; /* a logical block of the disk: 512 or 4096 */
	uint32_t command_bytes; /* the largest command, at least block_bytes */
};

/* A part of the range: blocks of the disk, or a hole. */
struct pbs_piece {
	uint64_t lba;
	uint32_t blocks; /* 0: a hole */
	uint32_t skip;	 /* bytes of the first block that lie before the range */
	uint64_t at;	 /* where its bytes belong, from the range's start */
	uint64_t bytes;
};

struct pbs_plan {
	struct pbs_piece piece[PBS_MAX_PIECES]; /* without gaps, from the range's start */
	unsigned count;
	uint64_t bytes; /* of the range that the pieces cover; at least 1 */
};

/*
 * Plans the read of length bytes (at least 1) from offset. extents are the answer of FIEMAP for that
 * range, complete if there are no more of them. Covers less than the range when there are too many
 * pieces or extents. Where an extent may not be read from the disk: -1, and why.
 */
int pbs_plan_make(const struct pbs_geometry *geometry, const struct fiemap_extent *extents,
		  unsigned count, bool complete, uint64_t offset, uint64_t length,
		  struct pbs_plan *plan, struct pbs_failure *failure);

/* Whether both read the same blocks to the same places. */
bool pbs_plan_equal(const struct pbs_plan *one, const struct pbs_plan *other);

/* Whether the flags of an extent, FIEMAP_EXTENT_*, let its blocks be read. 0; or -1, and why. */
int pbs_extent_check(uint32_t flags, struct pbs_failure *failure);

#endif
