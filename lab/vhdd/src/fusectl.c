// SPDX-License-Identifier: Apache-2.0
#include "fusectl.h"

#include "mountinfo.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mount.h>
#include <unistd.h>

#define CONNECTIONS "/sys/fs/fuse/connections"

/* 1: mounted here, 0: it was there, or -errno. */
static int mount_control(void)
{
	struct hprio_mount found;

	if (hprio_mount_at(CONNECTIONS, &found))
		return 0;
	if (mount("fusectl", CONNECTIONS, "fusectl", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) == 0)
		return 1;
	/* EBUSY: another process was faster. */
	return errno == EBUSY ? 0 : -errno;
}

static int write_abort(int connection)
{
	char path[sizeof(CONNECTIONS) + 32];
	int error = 0;
	int file;

	snprintf(path, sizeof(path), CONNECTIONS "/%d/abort", connection);
	file = open(path, O_WRONLY | O_CLOEXEC);
	if (file < 0)
		return errno == ENOENT ? 0 : -errno;
	if (write(file, "1", 1) != 1)
		error = -errno;
	close(file);
	return error;
}

int vhdd_fuse_abort(int connection)
{
	int mounted = mount_control();
	int error;

	if (mounted < 0) {
		errno = -mounted;
		warn("cannot mount the FUSE control filesystem on " CONNECTIONS);
		return mounted;
	}
	error = write_abort(connection);
	if (error) {
		errno = -error;
		warn("cannot abort FUSE connection %d", connection);
	}
	if (mounted)
		umount2(CONNECTIONS, MNT_DETACH);
	return error;
}
