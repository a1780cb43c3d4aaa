// SPDX-License-Identifier: Apache-2.0
#include "backing.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define STAT_BLOCK_BYTES 512

int vhdd_backing_new(uint64_t size_bytes)
{
	int backing = memfd_create("vhdd", MFD_CLOEXEC);

	if (backing < 0)
		return -errno;
	if (ftruncate(backing, (off_t)size_bytes)) {
		int error = errno;

		close(backing);
		return -error;
	}
	return backing;
}

int vhdd_backing_read(int backing, void *data, uint32_t length, uint64_t offset)
{
	ssize_t done = pread(backing, data, length, (off_t)offset);

	if (done < 0)
		return -errno;
	return done == (ssize_t)length ? 0 : -EIO;
}

int vhdd_backing_write(int backing, const void *data, uint32_t length, uint64_t offset)
{
	ssize_t done = pwrite(backing, data, length, (off_t)offset);

	if (done < 0)
		return -errno;
	return done == (ssize_t)length ? 0 : -ENOSPC;
}

int vhdd_backing_allocate(int backing, int mode, off_t offset, off_t length)
{
	/* What ZERO_RANGE leaves is the same as a hole, and shmem has only the latter. */
	if (mode & FALLOC_FL_ZERO_RANGE)
		mode = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
	return fallocate(backing, mode, offset, length) ? -errno : 0;
}

bool vhdd_backing_has(int backing, uint32_t length, uint64_t offset)
{
	off_t hole = lseek(backing, (off_t)offset, SEEK_HOLE);

	/* From a hole on it is the place itself. */
	return hole >= 0 && (uint64_t)hole >= offset + length;
}

uint64_t vhdd_backing_used(int backing)
{
	struct stat status;

	return fstat(backing, &status) ? 0 : (uint64_t)status.st_blocks * STAT_BLOCK_BYTES;
}
