/* SPDX-License-Identifier: Apache-2.0 */
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

#include "disk.h"

#include <sys/types.h>

struct pbs_target {
	dev_t device;	     /* of the file system, as in stat(2).st_dev */
	char name[PBS_NAME]; /* the kernel's name of it, e.g. "sda1" */
	int partition;	     /* open */
	struct pbs_geometry geometry; /* without bytes: see pbs_target_geometry */
	struct pbs_drive *drive;
	struct shared_disk *disk;
};

/* What a volume is read through: open descriptors. Another process may have opened them. */
struct pbs_handles {
	int partition; /* the file system's block device */
	struct pbs_nodes nodes;
};

/*
 * Opens a volume's file system and its disk, as pbs_nodes_open does. info must be of pbs_survey, with an empty
 * ncq_refused, and the file system have been mounted all the time since then. 0; or -1, and why.
 */
int pbs_handles_open(const struct pbs_volume_info *info, struct pbs_handles *handles,
		     struct pbs_failure *failure);

/*
 * A volume with these handles, which it closes, also after a failure. All targets of a process on one disk share
 * it, and what each of them sends counts towards the same limit: in_flight as of the first, but at most half of
 * the drive's queue. The other half is left to the requests of the kernel, which cannot overtake these commands.
 * 0; or -1, and why. Thread-safe.
 */
int pbs_target_make(const struct pbs_volume_info *info, const struct pbs_handles *handles,
		    unsigned in_flight, struct pbs_target **target, struct pbs_failure *failure);

/* pbs_handles_open and pbs_target_make. Thread-safe. */
int pbs_target_open(const struct pbs_volume_info *info, unsigned in_flight,
		    struct pbs_target **target, struct pbs_failure *failure);

/* Waits for what is at the drive if no other target is on it. NULL is allowed. Thread-safe. */
void pbs_target_close(struct pbs_target *target);

/* Where it lies now. 0; or -1, and why. */
int pbs_target_geometry(const struct pbs_target *target, struct pbs_geometry *geometry,
			struct pbs_failure *failure);

#endif
