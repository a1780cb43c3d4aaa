/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The protocol between the library and hprio-pbsd: messages on a SOCK_SEQPACKET Unix socket, each
 * answered before the next. Both come from one build, so the only version check is for equality.
 */
#ifndef PBS_HELPER_PROTOCOL_H
#define PBS_HELPER_PROTOCOL_H

#include "plan.h"

#define PBS_HELPER_MAGIC 0x34534250u /* "PBS4" */

/*
 * How many reads of one volume a client has at the helper at the same time: as many as there can be commands
 * of ours at a drive with a full queue, so that more would only wait there.
 */
#define PBS_HELPER_READS (PBS_MAX_PIECES / 2)

/* The largest read of one request, and the size of the memory that a client shares. */
#define PBS_HELPER_BYTES (1024 * 1024)

enum pbs_helper_operation {
	/* Comes first and once, with a memfd of PBS_HELPER_BYTES for the bytes of later reads. */
	PBS_HELPER_HELLO = 1,
	/* With the file, open for reading. */
	PBS_HELPER_READ = 2,
};

/* Comes with one descriptor (SCM_RIGHTS). It never names a place on the disk. */
struct pbs_helper_request {
	uint32_t magic;
	uint32_t operation;
	uint32_t device_major; /* of the file system */
	uint32_t device_minor;
	uint64_t offset; /* the rest with PBS_HELPER_READ only */
	uint64_t length; /* at most PBS_HELPER_BYTES */
	uint32_t level;
	/* Both count from now; 0: never. The parts of a long read get the rest of its time. */
	uint32_t timeout_ms;
	uint32_t raise_after_ms;
	uint32_t reserved;
};

struct pbs_helper_reply {
	uint32_t magic;
	uint32_t commands;
	int64_t result; /* bytes written to the start of the memfd; -1: see failure */
	uint32_t raised;
	uint32_t reserved;
	struct pbs_failure failure;
};

#endif
