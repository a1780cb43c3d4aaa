// SPDX-License-Identifier: Apache-2.0
#include "watchdog.h"

#include "fusectl.h"
#include "log.h"
#include "mountinfo.h"
#include "process.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#define WRITER "watchdog"
#define POLL_MS 1000

static void abort_connection(const struct vhdd_watchdog_options *options, const char *reason)
{
	struct hprio_mount mount;

	/* Its number is looked up now: without the mount it may be that of another connection. */
	if (!hprio_mount_at(options->paths->mount, &mount))
		vhdd_log(WRITER, "%s; its filesystem is not mounted", reason);
	else if (vhdd_fuse_abort(mount.minor) == 0)
		vhdd_log(WRITER, "%s: aborted FUSE connection %d; requests to the disk now fail",
			 reason, mount.minor);
}

/*
 * Waits as long as there are heartbeats. Counts short waits without one and does not measure time:
 * when the whole machine is stopped for a while, the daemon does not hang.
 */
static const char *wait_for_trouble(const struct vhdd_watchdog_options *options)
{
	struct pollfd files[] = {{.fd = options->daemon, .events = POLLIN},
				 {.fd = options->heartbeat, .events = POLLIN}};
	eventfd_t beats;
	int silent_ms = 0;

	for (;;) {
		int ready = poll(files, 2, POLL_MS);

		if (ready < 0 && errno != EINTR)
			return strerror(errno);
		if (ready > 0 && files[0].revents)
			return "the daemon has ended";
		if (ready > 0 && files[1].revents && eventfd_read(options->heartbeat, &beats) == 0)
			silent_ms = 0;
		else if (ready == 0)
			silent_ms += POLL_MS;
		if (silent_ms >= VHDD_HANG_S * 1000)
			return "the daemon hangs";
	}
}

int vhdd_watchdog_run(const struct vhdd_watchdog_options *options)
{
	if (vhdd_pidfile_claim(options->paths->watchdog_pid) ||
	    mlockall(MCL_CURRENT | MCL_FUTURE) || vhdd_process_log_to(options->paths->log) ||
	    write(options->ready, "", 1) != 1) {
		vhdd_log(WRITER, "cannot start: %s", strerror(errno));
		return EXIT_FAILURE;
	}
	close(options->ready);
	close(options->lock);
	abort_connection(options, wait_for_trouble(options));
	return EXIT_SUCCESS;
}
