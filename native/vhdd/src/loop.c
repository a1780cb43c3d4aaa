#include "loop.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Others take free loop devices too, so each may be gone when we come. */
#define ATTEMPTS 64

#define DETACH_POLL_US 20000
#define DETACH_POLLS 250

static int open_loop(int loop)
{
	char path[32];

	snprintf(path, sizeof(path), "/dev/loop%d", loop);
	return open(path, O_RDWR | O_CLOEXEC);
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

static int attach_to(int loop, int file, const char *name)
{
	int device = open_loop(loop);
	int error;

	if (device < 0)
		return -errno;
	error = configure(device, file, name);
	close(device);
	return error;
}

static int attach_to_free(int control, int file, const char *name,
			  int (*prepare)(int loop, void *context), void *context)
{
	for (int i = 0; i < ATTEMPTS; i++) {
		int loop = ioctl(control, LOOP_CTL_GET_FREE);
		int error;

		if (loop < 0)
			return -errno;
		error = prepare(loop, context);
		if (!error)
			error = attach_to(loop, file, name);
		if (!error)
			return loop;
		if (error != -EBUSY)
			return error;
	}
	return -EBUSY;
}

int vhdd_loop_attach(const char *name, int (*prepare)(int loop, void *context), void *context)
{
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	int file = open(name, O_RDWR | O_DIRECT | O_CLOEXEC);
	int loop = control < 0 || file < 0 ? -errno : 0;

	if (!loop)
		loop = attach_to_free(control, file, name, prepare, context);
	if (loop < 0) {
		errno = -loop;
		warn("cannot attach a loop device to %s with direct I/O", name);
	}
	if (control >= 0)
		close(control);
	if (file >= 0)
		close(file);
	return loop;
}

bool vhdd_loop_attached(int loop, const char *name)
{
	char path[64];
	char backing[4096];
	FILE *file;
	bool same;

	snprintf(path, sizeof(path), "/sys/block/loop%d/loop/backing_file", loop);
	file = fopen(path, "re");
	if (!file)
		return false;
	same = fgets(backing, sizeof(backing), file) != NULL;
	fclose(file);
	if (!same)
		return false;
	backing[strcspn(backing, "\n")] = '\0';
	return strcmp(backing, name) == 0;
}

bool vhdd_loop_free(int loop)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/block/loop%d/loop", loop);
	return access(path, F_OK) != 0;
}

int vhdd_loop_detach(int loop, const char *name)
{
	int device;
	int error = 0;

	if (!vhdd_loop_attached(loop, name))
		return 0;
	device = open_loop(loop);
	if (device < 0)
		return -errno;
	if (ioctl(device, LOOP_CLR_FD) && errno != ENXIO)
		error = -errno;
	close(device);
	for (int i = 0; !error && vhdd_loop_attached(loop, name); i++) {
		if (i == DETACH_POLLS)
			return -EBUSY;
		usleep(DETACH_POLL_US);
	}
	return error;
}
