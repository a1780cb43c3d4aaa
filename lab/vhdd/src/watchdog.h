/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small process beside a daemon: when the daemon ends without it, or hangs, it aborts the FUSE
 * connection, so that no process that reads, writes or unmounts waits forever.
 */
#ifndef VHDD_WATCHDOG_H
#define VHDD_WATCHDOG_H

#include "rundir.h"

/* A daemon without a heartbeat for this long hangs. */
#define VHDD_HANG_S 10

struct vhdd_watchdog_options {
	const struct vhdd_paths *paths;
	int daemon;     /* pidfd */
	int heartbeat;  /* the eventfd that the daemon counts up */
	int ready;      /* gets one byte when the watchdog watches, and is then closed */
	int lock;       /* closed then, too */
};

/* Runs until the daemon has ended or hangs, or SIGTERM. Returns the process's exit status. */
int vhdd_watchdog_run(const struct vhdd_watchdog_options *options);

#endif
