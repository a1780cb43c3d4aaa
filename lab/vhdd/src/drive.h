/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A model driven by a clock: takes requests, returns when to call it again, and finishes them.
 *
 * With delays switched off ("not timed") each request is finished as soon as it comes. All times are
 * int64_t nanoseconds of the caller's clock, never decreasing. Does no I/O. Not thread-safe.
 */
#ifndef VHDD_DRIVE_H
#define VHDD_DRIVE_H

#include "model.h"
#include "params.h"

struct vhdd_drive;

/* Called from within the functions below; must call none of them but those of the answer cost. */
struct vhdd_drive_events {
	/* The drive begins with the request: a read takes its data now. */
	void (*start)(void *context, struct vhdd_request *request);
	/*
	 * It is to be answered, without data if request->cdl.unavailable, and then perhaps without a start. The
	 * drive does not touch the request any more. The answer is due at request->answer_ns.
	 */
	void (*finish)(void *context, struct vhdd_request *request);
	void *context;
};

/* NULL with errno set (ENOMEM, or EINVAL for parameters that do not fit together). Timed at first. */
struct vhdd_drive *vhdd_drive_new(const struct vhdd_params *params,
				  const struct vhdd_drive_events *events);
void vhdd_drive_free(struct vhdd_drive *drive);

const struct vhdd_params *vhdd_drive_params(const struct vhdd_drive *drive);
void vhdd_drive_set_params(struct vhdd_drive *drive, const struct vhdd_params *params);

bool vhdd_drive_timed(const struct vhdd_drive *drive);

/*
 * Switches delays on or off. Off finishes all requests that the drive holds, and as long as it lasts no
 * duration limit ends one; on starts with an idle drive. 0, or -ENOMEM: nothing has changed.
 */
int vhdd_drive_set_timed(struct vhdd_drive *drive, bool timed, int64_t now_ns);

/*
 * How long the caller needs for the answer to a read, in nanoseconds per byte; 0 at first. A read is
 * finished earlier by that time, but not before it has begun, so that the answer arrives when it is
 * due: a real drive moves data over the link while it reads on. The model is not aware of this.
 */
double vhdd_drive_answer_cost(const struct vhdd_drive *drive);
void vhdd_drive_set_answer_cost(struct vhdd_drive *drive, double ns_per_byte);

/*
 * Takes a request that the block layer issued at issued_ns, no later than now, and that a real drive would
 * have had path_ns later. If it comes here so late that a choice of after that time has been made without it,
 * it arrives at the time of that choice, and request->late_ns tells how much later that is. What was issued
 * during a flush is let in after it, by a real host and by the loop device. 0, or -EINVAL for one outside of
 * the disk, or -ENOMEM: it is not taken.
 */
int vhdd_drive_submit(struct vhdd_drive *drive, struct vhdd_request *request, int64_t issued_ns,
		      int64_t now_ns);

/* Does everything that is due. */
void vhdd_drive_advance(struct vhdd_drive *drive, int64_t now_ns);

/* When to call vhdd_drive_advance next; INT64_MAX: not before a request is submitted. */
int64_t vhdd_drive_deadline_ns(const struct vhdd_drive *drive);

/* Of the write cache, since the drive was made. */
struct vhdd_writecache_counts vhdd_drive_writecache(const struct vhdd_drive *drive);

/* Requests that are not answered: at the drive, given up by it, or kept from it meanwhile. */
size_t vhdd_drive_held(const struct vhdd_drive *drive);

#endif
