/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A drive below a host's scheduler and tags, in virtual time. The caller owns the clock (int64_t nanoseconds,
 * never decreasing) and the requests, and has them back when they are answered. Not thread-safe.
 */
#ifndef VHDD_STATION_H
#define VHDD_STATION_H

#include "host.h"
#include "params.h"
#include "recovery.h"

struct vhdd_station {
	struct vhdd_params params;
	struct vhdd_model *model;
	struct vhdd_host host;
	struct vhdd_host_request *in_service;
	struct vhdd_recovery recovery;     /* of what the drive has given up */
	struct vhdd_host_request *refused; /* the drive could not take it, which ends everything */
	size_t max_queue;                  /* most requests that were in the drive's queue */
};

/* Tags: at least 1. 0, or -ENOMEM, or -EINVAL for parameters that vhdd_params_check refuses. */
int vhdd_station_init(struct vhdd_station *station, const struct vhdd_params *drive,
		      enum vhdd_host_scheduler scheduler, unsigned tags);

/* Hands back all requests that are not answered, in any order, and frees the rest. After a failed init, too. */
void vhdd_station_destroy(struct vhdd_station *station,
			  void (*hand_back)(struct vhdd_host_request *request));

/*
 * A request comes to the host. Its place, length, direction and priority are set. 0, -ENOMEM, or -EINVAL if a
 * request is outside of the disk or unaligned.
 */
int vhdd_station_submit(struct vhdd_station *station, struct vhdd_host_request *request,
			int64_t now_ns);

/* When vhdd_station_answer is due; INT64_MAX: not before the drive chooses a request. */
int64_t vhdd_station_answer_ns(const struct vhdd_station *station);

/* When the drive chooses its next request; INT64_MAX while it serves one or has none. */
int64_t vhdd_station_choice_ns(const struct vhdd_station *station);

/*
 * Ends the request that is answered at vhdd_station_answer_ns, which is now, with data or without. Answered is
 * NULL if there is none: a SATA drive has given it up, and it is answered when the host has found out why.
 * Returns as vhdd_station_submit.
 */
int vhdd_station_answer(struct vhdd_station *station, int64_t now_ns,
			struct vhdd_host_request **answered);

/* The drive chooses at vhdd_station_choice_ns, which is now. */
void vhdd_station_choose(struct vhdd_station *station, int64_t now_ns);

#endif
