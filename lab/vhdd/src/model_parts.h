/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of the model, and what they share: which request goes first (choice.c), and its queue, its end and
 * what becomes of the head (model.c).
 */
#ifndef VHDD_MODEL_PARTS_H
#define VHDD_MODEL_PARTS_H

#include "geometry.h"
#include "model.h"
#include "params.h"
#include "readahead.h"
#include "writecache.h"

/* A queued request and what of its place does not change with time. */
struct entry {
	struct vhdd_request *request;
	struct vhdd_place place;
	double transfer_ns;
};

/* What serving an entry at a given time would take. */
struct plan {
	enum vhdd_buffer_state buffer;
	bool streaming;       /* a write that goes on where the last one ended */
	int64_t begin_ns;     /* not before the command is decoded */
	double positioning_ns; /* from begin_ns */
	double delay_ns;      /* from the choice to the first byte */
};

struct vhdd_model {
	struct vhdd_params params;
	struct vhdd_geometry geometry;
	struct vhdd_readahead buffer;
	struct vhdd_writecache cache;
	struct entry *queue; /* what the arm is needed for, by arrival, also what is still to arrive */
	size_t queued;
	size_t capacity;
	int64_t chosen_ns;   /* the time of the latest choice */
	int64_t busy_until_ns;
	uint64_t track;     /* where the last transfer ended */
	bool write_open;    /* the last transfer was a write, which ended at write_end */
	uint64_t write_end;
};

static inline int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* How many of the queued requests have arrived and are not behind a flush: the oldest ones. */
size_t vhdd_choice_arrived(const struct vhdd_model *model, int64_t now_ns);

/* Where the head is: with the read-ahead, or at the end of the last transfer. */
uint64_t vhdd_choice_head_track(const struct vhdd_model *model, int64_t now_ns);

/* The index of the chosen entry among the oldest `window` ones, and its plan. */
size_t vhdd_choice_make(struct vhdd_model *model, size_t window, int64_t now_ns, struct plan *chosen);

/*
 * When a duration limit ends it, of the caller's clock; INT64_MAX: never. begun_ns is when the drive began with
 * it, or VHDD_CDL_WAITING.
 */
int64_t vhdd_choice_limit_end_ns(const struct vhdd_model *model, const struct entry *entry,
				 int64_t begun_ns);

/* Sets how a request that is finished, or has ended without data, has fared with its duration limits. */
void vhdd_choice_judge(const struct vhdd_model *model, const struct entry *entry, int64_t begun_ns,
		       bool unavailable);

#endif
