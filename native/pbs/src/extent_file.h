/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the bytes of a file are those of its extents on the disk. */
#ifndef PBS_EXTENT_FILE_H
#define PBS_EXTENT_FILE_H

#include "failure.h"

#include <sys/types.h>

/*
 * fd must be of a regular file, open for reading, on ext4 or XFS on this device (st_dev), whose data
 * needs nothing but its blocks: not encrypted, compressed, verified, journalled or on XFS' real-time
 * device; and which has only blocks that hold its data, see ext4_mount.h. name is the device's, as "sda1".
 * 0; or -1, and why. For a client of the helper, having the file open for reading is the proof
 * that it may read it.
 */
int pbs_extent_file_check(int fd, dev_t device, const char *name, struct pbs_failure *failure);

/* Checks only that fd is of a regular file and open for reading. */
int pbs_regular_file_check(int fd, struct pbs_failure *failure);

#endif
