/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of the daemon, and what they share: requests (server_requests.c), the control socket's
 * operations (server_control.c), the event loop (server_events.c), start and end (server.c).
 */
#ifndef VHDD_SERVER_PARTS_H
#define VHDD_SERVER_PARTS_H

#include "backing.h"
#include "control.h"
#include "drive.h"
#include "image_fs.h"
#include "issue_probe.h"
#include "log.h"
#include "server.h"
#include "stats.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

#define WRITER "daemon"
#define NS_PER_S 1000000000LL
#define NS_PER_MS 1000000LL

#define MAX_WAITERS 2

struct vhdd_server;

/*
 * A thread that waits for events, on CPUs of its own. A kernel without preemption lets a real-time
 * thread wait until what runs on its CPU leaves the kernel, which can take milliseconds. Two CPUs are
 * rarely blocked at the same moment, so there are two waiters for the same events: the first to wake
 * does the work, and the other finds nothing left to do.
 */
struct waiter {
	struct vhdd_server *server;
	int epoll;
	cpu_set_t cpus;
	pthread_t thread; /* unused for the first, which is the main thread */
};

struct vhdd_server {
	const struct vhdd_server_options *options;
	struct waiter waiters[MAX_WAITERS];
	int waiter_count;
	/* Held by a waiter unless it waits; guards all that follows. */
	pthread_mutex_t lock;
	int backing;
	int drive_timer;
	int heartbeat_timer;
	int signals;
	int stopped; /* an eventfd, readable when the waiters are to end */
	int64_t armed_ns; /* what drive_timer is set to */
	bool stop;
	uint64_t unchecked; /* bytes written since memory was looked at */
	bool memory_short;
	char device[32];
	struct vhdd_image_fs *fs;
	struct vhdd_issue_probe *probe;
	struct vhdd_drive *drive;
	struct vhdd_stats *stats;
	struct vhdd_control *control;
	/* Data of the one read in service. */
	char data[VHDD_IMAGE_MAX_REQUEST];
};

static inline int64_t vhdd_server_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* Makes memory, model and probe, and mounts the file system: 0, or -1 after a message. */
int vhdd_server_open_disk(struct vhdd_server *server);

/* Answers what the drive still holds, and frees what vhdd_server_open_disk has made of it. */
void vhdd_server_close_disk(struct vhdd_server *server);

/* Listens on the control socket: 0, or -1 after a message. */
int vhdd_server_open_control(struct vhdd_server *server);

/* After both: makes what the loop waits for. 0, or -1 after a message. */
int vhdd_server_open_events(struct vhdd_server *server);

/* The event loop: returns when the daemon is to end. */
void vhdd_server_loop(struct vhdd_server *server);

#endif
