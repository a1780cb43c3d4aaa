// SPDX-License-Identifier: Apache-2.0
#include "loop.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* LOOP_CTL_GET_FREE, which others use, gives out the lowest free number. */
#define FIRST_LOOP 1000
#define MAX_LOOPS 1000

#define REMOVE_POLL_US 20000
#define REMOVE_POLLS 250

/* The backing file as the kernel names it once its file system is unmounted. */
#define UNMOUNTED_FILE "/disk"

/*
 * Locked until it is closed: an added device must not be taken for a left one by another vhdd before it
 * is attached. -1 with errno set.
 */
static int open_control(void)
{
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);

	if (control >= 0)
		flock(control, LOCK_EX);
	return control;
}

static bool exists(int loop)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/block/loop%d", loop);
	return access(path, F_OK) == 0;
}

/* The file that it is attached to; empty: none. */
static void read_file_name(int loop, char *name, size_t size)
{
	char path[64];
	FILE *stream;

	snprintf(path, sizeof(path), "/sys/block/loop%d/loop/backing_file", loop);
	stream = fopen(path, "re");
	if (!stream || !fgets(name, (int)size, stream))
		name[0] = '\0';
	name[strcspn(name, "\n")] = '\0';
	if (stream)
		fclose(stream);
}

bool vhdd_loop_is_ours(int loop, const char *file)
{
	char name[4096];

	read_file_name(loop, name, sizeof(name));
	return exists(loop) &&
	       (!name[0] || strcmp(name, file) == 0 || strcmp(name, UNMOUNTED_FILE) == 0);
}

/* The kernel makes the node where /dev is a devtmpfs; elsewhere this does. */
static int open_loop(int loop)
{
	char path[32];
	int device;

	snprintf(path, sizeof(path), "/dev/loop%d", loop);
	device = open(path, O_RDWR | O_CLOEXEC);
	if (device < 0 && errno == ENOENT && exists(loop) &&
	    mknod(path, S_IFBLK | 0660, makedev(VHDD_LOOP_MAJOR, (unsigned)loop)) == 0)
		device = open(path, O_RDWR | O_CLOEXEC);
	return device;
}

static int configure(int device, int file, const char *name)
{
	struct loop_config config = {.fd = (unsigned int)file};
	struct loop_info64 info;

	config.info.lo_flags = LO_FLAGS_DIRECT_IO;
	snprintf((char *)config.info.lo_file_name, LO_NAME_SIZE, "%s", name);
	if (ioctl(device, LOOP_CONFIGURE, &config))
		return -errno;
	/* The kernel falls back to buffered I/O in silence. */
	if (ioctl(device, LOOP_GET_STATUS64, &info) || !(info.lo_flags & LO_FLAGS_DIRECT_IO)) {
		ioctl(device, LOOP_CLR_FD);
		return -ENOTSUP;
	}
	return 0;
}

static int add(int control, int loop, int file, const char *name)
{
	int device;
	int error;

	if (ioctl(control, LOOP_CTL_ADD, loop) < 0)
		return -errno;
	device = open_loop(loop);
	if (device < 0)
		return -errno;
	error = configure(device, file, name);
	close(device);
	return error;
}

static int add_unused(int control, int file, const char *name,
		      int (*prepare)(int loop, void *context), void *context)
{
	int error = -EBUSY;

	for (int loop = FIRST_LOOP; loop < FIRST_LOOP + MAX_LOOPS; loop++) {
		if (exists(loop))
			continue;
		error = prepare(loop, context);
		if (!error)
			error = add(control, loop, file, name);
		if (!error)
			return loop;
		/* Others may be faster: they added it, or attached a file to it. */
		if (error != -EEXIST && error != -EBUSY)
			break;
	}
	return error;
}

int vhdd_loop_add(const char *name, int (*prepare)(int loop, void *context), void *context)
{
	int control = open_control();
	int file = open(name, O_RDWR | O_DIRECT | O_CLOEXEC);
	int loop = control < 0 || file < 0 ? -errno : 0;

	if (!loop)
		loop = add_unused(control, file, name, prepare, context);
	if (loop < 0) {
		errno = -loop;
		warn("cannot add a loop device over %s with direct I/O", name);
	}
	if (control >= 0)
		close(control);
	if (file >= 0)
		close(file);
	return loop;
}

static int detach(int loop)
{
	int device = open_loop(loop);
	int error = 0;

	if (device < 0)
		return -errno;
	/* ENXIO: it is attached to nothing. */
	if (ioctl(device, LOOP_CLR_FD) && errno != ENXIO)
		error = -errno;
	close(device);
	return error;
}

static void remove_node(int loop)
{
	char path[32];

	snprintf(path, sizeof(path), "/dev/loop%d", loop);
	if (!exists(loop))
		unlink(path);
}

static int remove_detached(int control, int loop, const char *file)
{
	for (int i = 0; i < REMOVE_POLLS; i++) {
		/* Detached by us, it is free for others to take until it is gone. */
		if (!vhdd_loop_is_ours(loop, file))
			return 0;
		if (ioctl(control, LOOP_CTL_REMOVE, loop) >= 0 || errno == ENODEV) {
			remove_node(loop);
			return 0;
		}
		if (errno != EBUSY)
			return -errno;
		usleep(REMOVE_POLL_US);
	}
	return -EBUSY;
}

int vhdd_loop_remove(int loop, const char *file)
{
	int control = open_control();
	int error = 0;

	if (control < 0)
		return -errno;
	if (vhdd_loop_is_ours(loop, file))
		error = detach(loop);
	if (!error)
		error = remove_detached(control, loop, file);
	close(control);
	return error;
}
