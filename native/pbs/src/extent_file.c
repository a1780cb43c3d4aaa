// SPDX-License-Identifier: Apache-2.0
#include "extent_file.h"

#include "ext4_mount.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#ifndef XFS_SUPER_MAGIC
#define XFS_SUPER_MAGIC 0x58465342
#endif

int pbs_regular_file_check(int fd, struct pbs_failure *failure)
{
	struct stat status;
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || fstat(fd, &status))
		return pbs_fail(failure, PBS_REASON_FILE, "the descriptor: %s", strerror(errno));
	/* A descriptor of O_PATH looks as if it were open for reading, but the kernel checked no right. */
	if (flags & O_PATH || ((flags & O_ACCMODE) != O_RDONLY && (flags & O_ACCMODE) != O_RDWR))
		return pbs_fail(failure, PBS_REASON_FILE, "the file is not open for reading");
	if (!S_ISREG(status.st_mode))
		return pbs_fail(failure, PBS_REASON_FILE, "this is not a regular file");
	return 0;
}

static int check_filesystem(int fd, dev_t device, const char *name, bool *ext4,
			    struct pbs_failure *failure)
{
	struct stat status;
	struct statfs filesystem;

	if (fstat(fd, &status) || fstatfs(fd, &filesystem))
		return pbs_fail(failure, PBS_REASON_FILE, "the descriptor: %s", strerror(errno));
	if (status.st_dev != device)
		return pbs_fail(failure, PBS_REASON_FILE,
				"the file is on device %u:%u, the volume on %u:%u",
				major(status.st_dev), minor(status.st_dev), major(device),
				minor(device));
	/* A stacked file system may show the device of the one below. */
	if (filesystem.f_type != EXT4_SUPER_MAGIC && filesystem.f_type != XFS_SUPER_MAGIC)
		return pbs_fail(failure, PBS_REASON_FILE, "the file system is not ext4 or XFS");
	*ext4 = filesystem.f_type == EXT4_SUPER_MAGIC;
	/* Again for each read, because options can be changed by a remount. */
	return *ext4 ? pbs_ext4_mount_check("/proc", name, failure) : 0;
}

static int check_flags(int fd, bool ext4, struct pbs_failure *failure)
{
	static const struct {
		int flag;
		const char *text;
	} refused[] = {
		{FS_ENCRYPT_FL, "the file is encrypted"},
		{FS_COMPR_FL, "the file is compressed"},
		{FS_VERITY_FL, "the file is verified by fs-verity as it is read"},
		{FS_INLINE_DATA_FL, "the file's data lies in its inode"},
		{FS_JOURNAL_DATA_FL, "the file's data goes through the journal"},
	};
	struct fsxattr attributes;
	int flags;

	if (ioctl(fd, FS_IOC_GETFLAGS, &flags) || ioctl(fd, FS_IOC_FSGETXATTR, &attributes))
		return pbs_fail(failure, PBS_REASON_FILE, "the file's flags: %s", strerror(errno));
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		if (flags & refused[i].flag)
			return pbs_fail(failure, PBS_REASON_FILE, "%s", refused[i].text);
	if (ext4 && !(flags & FS_EXTENT_FL))
		return pbs_fail(failure, PBS_REASON_FILE,
				"the file is mapped by indirect blocks and not by extents: it can have "
				"blocks that its data is not written to yet");
	if (attributes.fsx_xflags & FS_XFLAG_REALTIME)
		return pbs_fail(failure, PBS_REASON_FILE, "the file is on XFS' real-time device");
	return 0;
}

int pbs_extent_file_check(int fd, dev_t device, const char *name, struct pbs_failure *failure)
{
	bool ext4;

	return pbs_regular_file_check(fd, failure) ||
			       check_filesystem(fd, device, name, &ext4, failure) ||
			       check_flags(fd, ext4, failure)
		       ? -1
		       : 0;
}
