/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host's side of the simulation: the drive's tags and the I/O scheduler that hands them out.
 * Reads only. Owns no request. Not thread-safe.
 *
 * VHDD_HOST_NONE hands tags out by arrival. VHDD_HOST_MQ_DEADLINE follows the rules of Linux 6.x
 * block/mq-deadline.c for reads, with its defaults:
 *   - real-time before best-effort before idle, and a class waits not only while a higher one is
 *     queued but also while one is in the drive (dd_dispatch_request, dd_queued);
 *   - except a request that waited for prio_aging_expire, 10 s (dd_dispatch_prio_aged_requests);
 *   - within a class batches of fifo_batch (16) by rising offset; at a batch's end the oldest
 *     request if its read_expire (500 ms) has passed (__dd_dispatch_request).
 */
#ifndef VHDD_HOST_H
#define VHDD_HOST_H

#include "ioprio.h"
#include "model.h"

#include <sys/queue.h>

enum vhdd_host_scheduler {
	VHDD_HOST_NONE,
	VHDD_HOST_MQ_DEADLINE,
};

/* One request on its way through the host. */
struct vhdd_host_request {
	struct vhdd_request drive;
	int64_t submit_ns;                    /* when the client asked */
	TAILQ_ENTRY(vhdd_host_request) queue; /* the host's */
};

/* Requests of one class that wait for a tag. */
struct vhdd_host_queue {
	TAILQ_HEAD(, vhdd_host_request) waiting; /* by arrival */
	uint64_t position;                       /* offset of the last dispatched one */
	uint64_t unfinished;                     /* waiting or in the drive */
};

struct vhdd_host {
	enum vhdd_host_scheduler scheduler;
	unsigned tags;
	unsigned in_use;
	unsigned batched;
	struct vhdd_host_queue queue[HPRIO_CLASS_IDLE + 1]; /* by class; only [0] without a scheduler */
};

/* tags: at least 1. */
void vhdd_host_init(struct vhdd_host *host, enum vhdd_host_scheduler scheduler, unsigned tags);

/* Takes a request whose drive part and submit_ns are filled in. */
void vhdd_host_insert(struct vhdd_host *host, struct vhdd_host_request *request);

/* The next request for the drive, with a tag, or NULL. */
struct vhdd_host_request *vhdd_host_dispatch(struct vhdd_host *host, int64_t now_ns);

/* The drive has answered: the tag is free again. */
void vhdd_host_complete(struct vhdd_host *host, const struct vhdd_host_request *request);

/* "none", "mq-deadline": 0, or -EINVAL. */
int vhdd_host_scheduler_parse(const char *text, enum vhdd_host_scheduler *scheduler);
const char *vhdd_host_scheduler_name(enum vhdd_host_scheduler scheduler);

#endif
