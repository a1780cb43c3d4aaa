// SPDX-License-Identifier: Apache-2.0
#include "node.h"

#include "hprio_pbs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int pbs_node_open(const char *name, int flags, mode_t type, dev_t number)
{
	char path[sizeof("/dev/") + PBS_NAME];
	struct stat status;
	int fd;

	snprintf(path, sizeof(path), "/dev/%s", name);
	fd = open(path, flags | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -1;
	if (fstat(fd, &status) == 0 && (status.st_mode & S_IFMT) == type &&
	    status.st_rdev == number)
		return fd;
	close(fd);
	errno = ENODEV;
	return -1;
}
