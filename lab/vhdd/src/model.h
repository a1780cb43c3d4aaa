/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The drive model of vhdd: a 7200 rpm hard disk with a queue of tagged commands (NCQ).
 *
 * A command costs its seek (min + b*sqrt(x) + c*x over the share x of the stroke), the wait for the
 * disk to turn, and the transfer at its zone's rate, unless a read finds its data in the buffer or
 * under the reading head. A write is answered when it is on the medium, or with a write cache as soon as
 * its data is there, see writecache.h.
 *
 * A pure library: it reads no clock, does no I/O and keeps no globals. The caller owns the clock
 * (int64_t nanoseconds of any epoch, never decreasing), so the daemon drives it in real time and
 * "vhdd sim" in virtual time. Not thread-safe: one model belongs to one thread.
 */
#ifndef VHDD_MODEL_H
#define VHDD_MODEL_H

#include "cdl.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

/* How the drive chooses among the commands it holds. */
enum vhdd_mode {
	VHDD_MODE_NCQ,  /* positioning time and age only: a drive that ignores priority */
	VHDD_MODE_PRIO, /* ATA NCQ priority: class RT ahead by a bonus that grows with its age */
	VHDD_MODE_CDL,  /* command duration limits, see cdl.h: what nears its guideline gets ahead */
};

/* How the drive is attached, which decides what becomes of a command that it gives up, see recovery.h. */
enum vhdd_transport {
	VHDD_TRANSPORT_SATA, /* the host closes the drive until it holds no command, then ends it */
	VHDD_TRANSPORT_SAS,  /* the host ends it at once */
};

struct vhdd_params; /* see params.h */

/*
 * One read, write or flush as the drive sees it. The caller owns it and keeps it until it is finished. A flush
 * (FLUSH CACHE EXT) ends when all is on the medium that was dirty or queued before it. It is no queued command
 * (ACS-4), so the host sends nothing else until then: what comes after it waits.
 */
struct vhdd_request {
	uint64_t offset;    /* bytes from the start of the disk, multiple of 512 */
	uint32_t length;    /* bytes, multiple of 512, above 0 */
	bool write;
	bool fua;           /* a write that is answered when it is on the medium, cache or not */
	bool flush;         /* no read or write: it has no place and no length */
	uint16_t ioprio;    /* class<<13 | hint<<3 | level, include/uapi/linux/ioprio.h */
	int64_t arrival_ns; /* set by vhdd_model_submit: when the drive has it */
	int64_t start_ns;   /* set with finish_ns: when the arm or the buffer begins with it */
	int64_t finish_ns;  /* set by vhdd_model_next or vhdd_model_end: when the drive ends with it */
	int64_t answer_ns;  /* the caller's: when the host has the answer, see recovery.h */
	int64_t late_ns;    /* the caller's: by how much later than at a real drive it has arrived */
	struct vhdd_cdl_verdict cdl; /* set with finish_ns; all zero but in mode cdl */
	void *owner;        /* the caller's; the model does not touch it */
	STAILQ_ENTRY(vhdd_request) link; /* the caller's, while the model does not have it */
};

/* What the write cache has done. */
struct vhdd_writecache_counts {
	uint64_t dirty_bytes; /* now, without what the arm writes out at this moment */
	uint64_t destaged_bytes;
	uint64_t destages;    /* trips of the arm */
	int64_t destage_ns;   /* all of them together */
};

struct vhdd_model;

/*
 * NULL with errno ENOMEM, or EINVAL for parameters that vhdd_params_check refuses. The parameters
 * are copied.
 */
struct vhdd_model *vhdd_model_new(const struct vhdd_params *params);
void vhdd_model_free(struct vhdd_model *model);

/* Takes the live parameters (mode, weights, ages; see params.h) for all choices from now on. */
void vhdd_model_set_params(struct vhdd_model *model, const struct vhdd_params *params);

/*
 * Makes room for so many more requests, of which this is one: to submit them will not fail. 0, or as
 * vhdd_model_submit.
 */
int vhdd_model_admit(struct vhdd_model *model, const struct vhdd_request *request, size_t more);

/*
 * Queues a request that arrives at this time, which may be to come, or else as soon after the latest choice
 * as can be: what has been chosen without it stays so. 0, or -EINVAL for one outside of the disk or
 * unaligned, or -ENOMEM.
 */
int vhdd_model_submit(struct vhdd_model *model, struct vhdd_request *request, int64_t arrival_ns);

/* Requests that are queued, without the one in service. */
size_t vhdd_model_queued(const struct vhdd_model *model);

/* When the arm is free: the end of what it did last; INT64_MIN: it did nothing as yet. */
int64_t vhdd_model_free_ns(const struct vhdd_model *model);

/*
 * When the drive chooses what the arm does next: when it is free, or when there is something to do for an idle
 * one; INT64_MAX when there is nothing to do.
 */
int64_t vhdd_model_next_choice_ns(const struct vhdd_model *model);

/*
 * Chooses the next request among those that have arrived by now, takes it off the queue and sets start_ns
 * and finish_ns. The drive is busy until finish_ns: the caller answers it then. NULL when there is nothing to do,
 * or when the arm writes out a part of the write cache: until vhdd_model_free_ns. Called before
 * vhdd_model_next_choice_ns, it chooses as of that time.
 */
struct vhdd_request *vhdd_model_next(struct vhdd_model *model, int64_t now_ns);

/*
 * When the first queued request ends without the arm, which may be busy or not: the write cache takes its data,
 * or a duration limit ends it unless it is chosen before; INT64_MAX: none does.
 */
int64_t vhdd_model_next_end_ns(const struct vhdd_model *model);

/*
 * Takes the first request off the queue that has ended so by now, and sets start_ns and finish_ns to that moment;
 * NULL: there is none. The caller answers it at once, without data if cdl.unavailable.
 */
struct vhdd_request *vhdd_model_end(struct vhdd_model *model, int64_t now_ns);

/* Takes any queued request off the queue, undone; NULL: none is queued. */
struct vhdd_request *vhdd_model_withdraw(struct vhdd_model *model);

struct vhdd_writecache_counts vhdd_model_writecache(const struct vhdd_model *model);

#endif
