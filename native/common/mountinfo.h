/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The mounts of this process's namespace, from /proc/self/mountinfo (proc(5)). Asks no file system, so
 * it works beside one that hangs. Thread-safe.
 */
#ifndef HPRIO_MOUNTINFO_H
#define HPRIO_MOUNTINFO_H

#include <stdbool.h>

struct hprio_mount {
	int id;
	int major; /* of the file system's device number, as in stat(2).st_dev */
	int minor;
	char point[4096];
	char type[32]; /* e.g. "ext4" */
};

/*
 * The mount that a descriptor is on, the newest mount of a device, and the newest one at a path. False,
 * and all of it zero, if there is none or it cannot be found out, e.g. without /proc.
 */
bool hprio_mount_of_file(int fd, struct hprio_mount *mount);
bool hprio_mount_of_device(int major, int minor, struct hprio_mount *mount);
bool hprio_mount_at(const char *point, struct hprio_mount *mount);

/* Reads one line of mountinfo; false if it is not valid. */
bool hprio_mount_parse(const char *line, struct hprio_mount *mount);

#endif
