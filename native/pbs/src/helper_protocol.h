/*
 * What the library and hprio-pbsd say to each other: messages of a SOCK_SEQPACKET Unix socket, each
 * answered before the next. Both are of one build, so there are no versions but a check for equality.
 */
#ifndef PBS_HELPER_PROTOCOL_H
#define PBS_HELPER_PROTOCOL_H

#include "failure.h"

#define PBS_HELPER_MAGIC 0x31534250u /* "PBS1" */

/* The most that one request reads, and the memory that a client shares. */
#define PBS_HELPER_BYTES (1024 * 1024)

enum pbs_helper_operation {
	/* Comes first and once, with a memfd of PBS_HELPER_BYTES that reads are answered in. */
	PBS_HELPER_HELLO = 1,
	/* With the file, open for reading. */
	PBS_HELPER_READ = 2,
};

/* Comes with one descriptor (SCM_RIGHTS). Never says where on a disk to read. */
struct pbs_helper_request {
	uint32_t magic;
	uint32_t operation;
	uint32_t device_major; /* of the file system */
	uint32_t device_minor;
	uint64_t offset; /* the rest with PBS_HELPER_READ only */
	uint64_t length; /* at most PBS_HELPER_BYTES */
	uint32_t level;
	uint32_t icc;
	uint32_t timeout_ms;	 /* 0: never */
	uint32_t raise_after_ms; /* 0: never. Both from now: parts of a long read get what is left */
};

struct pbs_helper_reply {
	uint32_t magic;
	uint32_t commands;
	int64_t result; /* bytes that were put at the memfd's begin; -1: failure tells why */
	uint32_t raised;
	uint32_t reserved;
	struct pbs_failure failure;
};

#endif
