/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The drive model under load in virtual time: clients, the host's scheduler and tags, the drive.
 * Tens of thousands of seconds of disk time pass in seconds, so it shows tails that a real run
 * cannot. 4 KiB-aligned requests, reads at random places unless something else is said; the same configuration and seed give the same result.
 */
#ifndef VHDD_SIM_H
#define VHDD_SIM_H

#include "histogram.h"
#include "host.h"
#include "params.h"

/* Kinds of background requests that have a priority of their own. */
#define VHDD_SIM_SHARES 3

struct vhdd_sim_share {
	double share; /* 0 to 1, and at most 1 for all kinds together */
	uint16_t ioprio;
};

/* Where the background's requests are. */
enum vhdd_sim_places {
	VHDD_SIM_RANDOM,
	VHDD_SIM_STREAMS,    /* each client goes on from a random place */
	VHDD_SIM_ONE_STREAM, /* all clients together, from where their part of the disk begins */
};

struct vhdd_sim_config {
	struct vhdd_params drive;
	enum vhdd_host_scheduler host;
	unsigned tags;          /* the host's, at least 1 */
	int64_t host_ns;        /* from an answer until a closed-loop client asks again */
	uint32_t request_bytes; /* a multiple of 4096 */

	/* Background clients, each with one request at a time. */
	unsigned background;
	uint16_t background_ioprio;
	enum vhdd_sim_places background_places;
	uint64_t background_offset; /* the part of the disk they use, multiples of 4096 */
	uint64_t background_bytes;  /* 0: all of it from there on */
	bool background_write;
	bool background_fua; /* these writes are answered when they are on the medium */
	struct vhdd_sim_share high[VHDD_SIM_SHARES]; /* of their requests */

	/* The foreground: clients with one request at a time, or a Poisson process, or none. */
	unsigned foreground;
	double foreground_rate; /* requests per second, 0: none */
	uint16_t foreground_ioprio;

	uint64_t samples; /* answers to record, of the foreground if there is one, else of all */
	uint64_t warmup;  /* answers of all kinds before that */
	uint64_t seed;
};

enum vhdd_sim_class {
	VHDD_SIM_BACKGROUND, /* background requests without a priority of their own */
	VHDD_SIM_HIGH,       /* those of high[0]; the others follow */
	VHDD_SIM_FOREGROUND = VHDD_SIM_HIGH + VHDD_SIM_SHARES,
	VHDD_SIM_CLASSES,
};

struct vhdd_sim_result {
	int64_t duration_ns; /* virtual, without the warm-up */
	size_t max_queue;    /* most requests in the drive's queue */
	/* From the client's request to its answer, with data or without, the wait for a tag included. */
	struct vhdd_histogram latency[VHDD_SIM_CLASSES];
};

/* One background client on a sdc21 drive with 32 tags, no scheduler and 128 KiB reads. */
void vhdd_sim_defaults(struct vhdd_sim_config *config);

/* 0; -EINVAL for an invalid configuration, and the reason in error (size bytes); or -ENOMEM. */
int vhdd_sim_run(const struct vhdd_sim_config *config, struct vhdd_sim_result *result, char *error,
		 size_t size);

/* Answers per second of one class, or of all for VHDD_SIM_CLASSES. */
double vhdd_sim_iops(const struct vhdd_sim_result *result, enum vhdd_sim_class class);

#endif
