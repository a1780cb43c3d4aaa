/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a range of a file from the disk's blocks: finds them, reads them, and checks that they are still
 * the file's. The library does this where it has the disk open, and the helper for its clients.
 */
#ifndef PBS_MAPPED_READ_H
#define PBS_MAPPED_READ_H

#include "target.h"

/*
 * fd must have passed pbs_extent_file_check for the target's device. Returns the bytes read, up to the
 * file's end; or -1, and why: then the contents of buffer are undefined, and the caller must read in
 * another way. Adds to served. Thread-safe.
 */
int64_t pbs_mapped_read(const struct pbs_target *target, int fd, void *buffer, uint64_t length,
			uint64_t offset, const struct pbs_order *order, struct pbs_served *served,
			struct pbs_failure *failure);

/* The part of length that lies before the file's end; or -1, and why. */
int64_t pbs_clip_to_file(int fd, uint64_t offset, uint64_t length, struct pbs_failure *failure);

#endif
