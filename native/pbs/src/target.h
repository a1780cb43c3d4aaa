/*
 * A file system whose blocks can be read from its disk.
 *
 * Its block device is held open, so that it stays where it is on the disk, also while nothing is mounted
 * from it: the kernel deletes no partition that is open (EBUSY from bdev_del_partition, and from a new scan of
 * the partition table, bdev_disk_changed), and gives the number of a disk that is open to no other one. What
 * it allows is to resize a partition (bdev_resize_partition), without changing its start; so the size is read
 * again for each read. All in block/partitions/core.c of the kernel.
 */
#ifndef PBS_TARGET_H
#define PBS_TARGET_H

#include "drive.h"

#include <sys/types.h>

struct pbs_target {
	dev_t device;	     /* of the file system, as in stat(2).st_dev */
	char name[PBS_NAME]; /* the kernel's name of it, e.g. "sda1" */
	int partition;	     /* open */
	struct pbs_geometry geometry;
	struct pbs_drive *drive;
};

/*
 * Fills in all but drive. info must be of pbs_survey, and the file system have been mounted all the time
 * since then. 0; or -1, and why.
 */
int pbs_target_open(const struct pbs_volume_info *info, uint32_t command_bytes,
		    struct pbs_target *target, struct pbs_failure *failure);

void pbs_target_close(struct pbs_target *target);

/* Where it lies now. 0; or -1, and why. */
int pbs_target_geometry(const struct pbs_target *target, struct pbs_geometry *geometry,
			struct pbs_failure *failure);

#endif
