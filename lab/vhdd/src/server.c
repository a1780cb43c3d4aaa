// SPDX-License-Identifier: Apache-2.0
#include "process.h"
#include "server_parts.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

/*
 * Keeps the daemon from waiting for its own disk: when memory is short, the kernel must not write dirty
 * pages to this disk on the daemon's behalf.
 */
static void become_io_flusher(void)
{
	if (prctl(PR_SET_IO_FLUSHER, 1, 0, 0, 0))
		vhdd_log(WRITER, "PR_SET_IO_FLUSHER: %s (needs CAP_SYS_RESOURCE); if memory runs out, the disk "
			 "may hang until the watchdog aborts it",
			 strerror(errno));
}

/* So that answers come in time. */
static int become_real_time(void)
{
	struct sched_param priority = {.sched_priority = 1};

	if (prctl(PR_SET_TIMERSLACK, 1) || mlockall(MCL_CURRENT | MCL_FUTURE) ||
	    sched_setscheduler(0, SCHED_FIFO, &priority)) {
		warn("cannot become a real-time process that is locked in memory (needs "
		     "CAP_SYS_NICE and CAP_IPC_LOCK)");
		return -1;
	}
	return 0;
}

static int start(struct vhdd_server *server)
{
	const char *pid_file = server->options->paths->daemon_pid;
	int error = vhdd_pidfile_claim(pid_file);

	if (error) {
		warnx("cannot lock %s: %s", pid_file, strerror(-error));
		return -1;
	}
	if (vhdd_server_open_disk(server) || vhdd_server_open_control(server) ||
	    vhdd_server_open_events(server) || become_real_time())
		return -1;
	return 0;
}

static int tell_ready(struct vhdd_server *server)
{
	int error = vhdd_process_log_to(server->options->paths->log);

	if (error || write(server->options->ready, "", 1) != 1) {
		warnx("cannot start to log to %s", server->options->paths->log);
		return -1;
	}
	close(server->options->ready);
	close(server->options->lock);
	return 0;
}

int vhdd_server_run(const struct vhdd_server_options *options)
{
	struct vhdd_server *server = calloc(1, sizeof(*server));
	int status = EXIT_FAILURE;

	if (!server) {
		warn("daemon");
		return EXIT_FAILURE;
	}
	server->options = options;
	server->backing = -1;
	pthread_mutex_init(&server->lock, NULL);
	if (start(server) == 0 && tell_ready(server) == 0) {
		vhdd_log(WRITER, "serving %s", options->paths->image);
		become_io_flusher();
		vhdd_server_loop(server);
		vhdd_log(WRITER, "ended");
		status = EXIT_SUCCESS;
	}
	vhdd_server_close_disk(server);
	vhdd_control_close(server->control);
	free(server);
	return status;
}
