/* SPDX-License-Identifier: Apache-2.0 */
/* Asks the file system where a file's data lies (ioctl FS_IOC_FIEMAP). */
#ifndef PBS_FIEMAP_H
#define PBS_FIEMAP_H

#include "plan.h"

#define PBS_MAX_EXTENTS 64

struct pbs_extents {
	unsigned count;
	bool complete; /* there are no more in the range */
	struct fiemap_extent extent[PBS_MAX_EXTENTS];
};

/*
 * Extents of the range. sync: dirty pages are written first, so that all writes that ended before
 * this call are on the disk. 0; or -1, and why.
 */
int pbs_fiemap(int fd, uint64_t offset, uint64_t length, bool sync, struct pbs_extents *extents,
	       struct pbs_failure *failure);

#endif
