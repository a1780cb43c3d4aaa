/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether ext4, as it is mounted now, gives a file only blocks that hold the file's data. Otherwise a
 * read of these blocks could return what other, deleted files left there.
 *
 * Buffered data waits for writeback without a place on the disk (delalloc). Then ext4 marks the blocks as
 * unwritten until the data is on them, if ext4_should_dioread_nolock (fs/ext4/ext4_jbd2.h) is true: the
 * file is mapped by extents, its data does not go through the journal, and the options dioread_nolock and
 * delalloc are in force. FIEMAP shows unwritten blocks as such, and they are not read. Without one of these,
 * FIEMAP shows the blocks as if they held the data while it is still to be written.
 *
 * With data=journal, data may be in the journal and not yet on its blocks.
 */
#ifndef PBS_EXT4_MOUNT_H
#define PBS_EXT4_MOUNT_H

#include "failure.h"

/*
 * Looks at the options in force, those by default included: PROC/fs/ext4/DEVICE/options. proc is where
 * procfs is mounted, "/proc"; device is the kernel's name of the file system's device, as "sda1". Needs no
 * rights. 0; or -1, and why, also if the options cannot be read.
 */
int pbs_ext4_mount_check(const char *proc, const char *device, struct pbs_failure *failure);

#endif
