// SPDX-License-Identifier: Apache-2.0
#include "fiemap.h"

#include <errno.h>
#include <linux/fs.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>

int pbs_fiemap(int fd, uint64_t offset, uint64_t length, bool sync, struct pbs_extents *extents,
	       struct pbs_failure *failure)
{
	union {
		struct fiemap head;
		char bytes[sizeof(struct fiemap) + sizeof(extents->extent)];
	} request;
	unsigned count;

	memset(&request.head, 0, sizeof(request.head));
	request.head.fm_start = offset;
	request.head.fm_length = length;
	request.head.fm_flags = sync ? FIEMAP_FLAG_SYNC : 0;
	request.head.fm_extent_count = PBS_MAX_EXTENTS;
	if (ioctl(fd, FS_IOC_FIEMAP, &request))
		return pbs_fail(failure, PBS_REASON_MAP, "FIEMAP: %s", strerror(errno));
	count = request.head.fm_mapped_extents;
	if (count > PBS_MAX_EXTENTS)
		return pbs_fail(failure, PBS_REASON_MAP, "FIEMAP: %u extents, %d asked for", count,
				PBS_MAX_EXTENTS);
	memcpy(extents->extent, request.bytes + offsetof(struct fiemap, fm_extents),
	       count * sizeof(extents->extent[0]));
	extents->count = count;
	extents->complete = count < PBS_MAX_EXTENTS ||
			    extents->extent[count - 1].fe_flags & FIEMAP_EXTENT_LAST;
	return 0;
}
