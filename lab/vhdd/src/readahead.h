/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The drive's buffer for reads: the stretch that the head is reading now, with the read-ahead
 * behind it, and the stretches read before. Only addresses are kept, no data. A write leaves the
 * buffer as it is: the drive updates what it holds. Not thread-safe.
 */
#ifndef VHDD_READAHEAD_H
#define VHDD_READAHEAD_H

#include "geometry.h"

enum vhdd_buffer_state {
	VHDD_BUFFER_MISS,     /* the head must be positioned */
	VHDD_BUFFER_HIT,      /* all in the buffer */
	VHDD_BUFFER_ARRIVING, /* the head is reading towards it */
};

struct vhdd_stretch {
	uint64_t start;
	uint64_t end;
};

struct vhdd_readahead {
	uint64_t disk_bytes;
	uint64_t ahead_bytes;
	uint64_t min_bytes; /* of these, which it reads also while commands wait */
	bool active;        /* the head stays on the stretch below */
	uint64_t start;     /* its oldest byte that is still held */
	uint64_t base;      /* the head was here at base_ns and reads on at the rate */
	int64_t base_ns;
	double bytes_per_ns;
	uint64_t limit;     /* it stops here */
	uint64_t least;     /* it does not leave before this, which is at most the limit */
	uint32_t capacity;  /* of the list of past stretches, a ring */
	uint32_t used;
	uint32_t oldest;
	struct vhdd_stretch *past;
};

/* 0 or -ENOMEM. */
int vhdd_readahead_init(struct vhdd_readahead *buffer, const struct vhdd_params *params);
void vhdd_readahead_destroy(struct vhdd_readahead *buffer);

/*
 * When the head has read on as far as it does although commands wait; INT64_MIN: it is not reading ahead, or has
 * come so far before its last answer from the buffer.
 */
int64_t vhdd_readahead_may_leave_ns(const struct vhdd_readahead *buffer);

/* When the read-ahead is at its limit; INT64_MIN: it is not active. */
int64_t vhdd_readahead_done_ns(const struct vhdd_readahead *buffer);

/* The end of what the head has read on the active stretch. Only while active. */
uint64_t vhdd_readahead_reached(const struct vhdd_readahead *buffer, int64_t now_ns);

enum vhdd_buffer_state vhdd_readahead_lookup(const struct vhdd_readahead *buffer, uint64_t offset,
					     uint64_t length, int64_t now_ns);

/* A hit is answered: the read-ahead may go on from where it had stopped. */
void vhdd_readahead_hit(struct vhdd_readahead *buffer, const struct vhdd_geometry *geometry,
			uint64_t offset, uint64_t length, int64_t now_ns);

/* When the head has read all of an arriving request; the read-ahead goes on after it. */
int64_t vhdd_readahead_arrive(struct vhdd_readahead *buffer, const struct vhdd_geometry *geometry,
			      uint64_t offset, uint64_t length);

/* The head leaves at now_ns; what it has read becomes a past stretch. */
void vhdd_readahead_leave(struct vhdd_readahead *buffer, int64_t now_ns);

/* The head has read the request at finish_ns and reads on. After vhdd_readahead_leave. */
void vhdd_readahead_begin(struct vhdd_readahead *buffer, const struct vhdd_geometry *geometry,
			  uint64_t offset, uint64_t length, int64_t finish_ns);

#endif
