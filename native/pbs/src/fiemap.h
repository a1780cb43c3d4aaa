/* Asks the file system where a file's data lies (ioctl FS_IOC_FIEMAP). */
#ifndef PBS_FIEMAP_H
#define PBS_FIEMAP_H

#include "plan.h"

#define PBS_EXTENTS_MAX 64

struct pbs_extents {
	unsigned count;
	bool complete; /* there are no more of them in the range */
	struct fiemap_extent extent[PBS_EXTENTS_MAX];
};

/*
 * Extents of the range. sync: dirty pages are written first, so that what a write has done before
 * this call lies on the disk. 0; or -1, and why.
 */
int pbs_fiemap(int fd, uint64_t offset, uint64_t length, bool sync, struct pbs_extents *extents,
	       struct pbs_failure *failure);

#endif
