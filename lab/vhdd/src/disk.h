/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A disk as a whole: the daemon, its watchdog, the loop device on top and its queue settings. All
 * functions print to standard error what went wrong.
 */
#ifndef VHDD_DISK_H
#define VHDD_DISK_H

#include "params.h"
#include "rundir.h"

#include <sys/types.h>

struct vhdd_disk_options {
	struct vhdd_params params;
	const char *scheduler; /* of the loop device, e.g. "mq-deadline" */
	unsigned int read_ahead_kb;
};

/*
 * Makes a disk and returns the number of its loop device, or -errno; what was done is undone then. It
 * makes no filesystem.
 */
int vhdd_disk_create(const struct vhdd_paths *paths, const struct vhdd_disk_options *options);

/*
 * Undoes all that create did, however far it came and whatever has died since; no disk of that name
 * is no error. A disk in use is refused (-EBUSY) unless force is set: then filesystems on it are
 * unmounted, and processes that still have it open get I/O errors. 0, or -errno.
 */
int vhdd_disk_destroy(const struct vhdd_paths *paths, bool force);

/* Fails each request of the disk from now on; only destroy is possible afterwards. 0, or -errno. */
int vhdd_disk_abort(const struct vhdd_paths *paths);

enum vhdd_disk_condition {
	VHDD_DISK_RUNNING,
	VHDD_DISK_INCOMPLETE, /* create has not come to its end */
	VHDD_DISK_DEAD,	      /* the daemon has ended */
	VHDD_DISK_HUNG,	      /* the daemon does not answer */
};

struct vhdd_disk_info {
	uint64_t size_bytes;
	int loop; /* or VHDD_NO_LOOP of state.h */
	pid_t pid; /* of the daemon, 0: none */
	char mode[16]; /* "-" when the daemon does not answer */
	enum vhdd_disk_condition condition;
};

/* What is known of a disk: 0, or -errno. */
int vhdd_disk_inspect(const struct vhdd_paths *paths, struct vhdd_disk_info *info);

const char *vhdd_disk_condition_name(enum vhdd_disk_condition condition);

#endif
