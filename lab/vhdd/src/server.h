/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The daemon of one disk: serves its FUSE file with the model's delays.
 *
 * The data is in memory that belongs to no filesystem (memfd_create(2)), so drop_caches does not
 * evict it; it takes as much RAM as was ever written and not discarded.
 */
#ifndef VHDD_SERVER_H
#define VHDD_SERVER_H

#include "params.h"
#include "rundir.h"

/* How often the daemon writes to the heartbeat. */
#define VHDD_HEARTBEAT_INTERVAL_MS 1000

struct vhdd_server_options {
	const struct vhdd_paths *paths;
	struct vhdd_params params;
	int heartbeat; /* an eventfd to count up, see watchdog.h */
	int ready;     /* gets one byte when the disk can be used, and is then closed */
	int lock;      /* of the disk, so that nothing destroys a half of it; closed then, too */
};

/*
 * Runs until SIGTERM, or until its filesystem is unmounted or aborted. Returns the process's exit
 * status; prints to standard error why it could not start.
 */
int vhdd_server_run(const struct vhdd_server_options *options);

#endif
