// SPDX-License-Identifier: Apache-2.0
#include "mapped_read.h"

#include "fiemap.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static int plan_read(const struct pbs_target *target, int fd, uint64_t offset, uint64_t length,
		     bool sync, struct pbs_plan *plan, struct pbs_failure *failure)
{
	struct pbs_geometry geometry;
	struct pbs_extents extents;

	return pbs_target_geometry(target, &geometry, failure) ||
			       pbs_fiemap(fd, offset, length, sync, &extents, failure) ||
			       pbs_plan_make(&geometry, extents.extent, extents.count,
					     extents.complete, offset, length, plan, failure)
		       ? -1
		       : 0;
}

/*
 * Blocks that truncate or hole punching freed during the read may hold another file's data. Deleting
 * the file frees none while it is open.
 */
static int check_again(const struct pbs_target *target, int fd, uint64_t offset, uint64_t length,
		       const struct pbs_plan *before, struct pbs_failure *failure)
{
	struct pbs_failure ignored;
	struct pbs_plan after;

	if (plan_read(target, fd, offset, length, false, &after, &ignored) ||
	    !pbs_plan_equal(before, &after))
		return pbs_fail(failure, PBS_REASON_CHANGED,
				"the file's extents changed during the read");
	return 0;
}

int64_t pbs_clip_to_file(int fd, uint64_t offset, uint64_t length, struct pbs_failure *failure)
{
	struct stat status;

	if (fstat(fd, &status))
		return pbs_fail(failure, PBS_REASON_FILE, "the descriptor: %s", strerror(errno));
	if (offset >= (uint64_t)status.st_size)
		return 0;
	if (length > (uint64_t)status.st_size - offset)
		length = (uint64_t)status.st_size - offset;
	return (int64_t)length;
}

int64_t pbs_mapped_read(const struct pbs_target *target, int fd, void *buffer, uint64_t length,
			uint64_t offset, const struct pbs_order *order, struct pbs_served *served,
			struct pbs_failure *failure)
{
	int64_t wanted = pbs_clip_to_file(fd, offset, length, failure);
	int64_t done = 0;

	while (done < wanted) {
		uint64_t from = offset + (uint64_t)done;
		uint64_t rest = (uint64_t)(wanted - done);
		struct pbs_plan plan;

		if (plan_read(target, fd, from, rest, order->sync, &plan, failure) ||
		    pbs_drive_read(target->drive, &plan, order, (char *)buffer + done, served,
				   failure) ||
		    check_again(target, fd, from, rest, &plan, failure))
			return -1;
		done += (int64_t)plan.bytes;
	}
	/* The rest of the last block, after the file's end, must not reach the reader. */
	if (wanted > 0 && pbs_clip_to_file(fd, offset, (uint64_t)wanted, failure) != wanted)
		return pbs_fail(failure, PBS_REASON_CHANGED, "the file was cut during the read");
	return wanted;
}
