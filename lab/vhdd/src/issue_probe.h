/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the I/O priority of a FUSE request: FUSE does not carry it, so a BPF program notes it when
 * the block layer issues the request to the loop device, before the loop driver calls FUSE.
 *
 * Needs CAP_SYS_ADMIN (or CAP_BPF and CAP_PERFMON) and a kernel with BTF. Not thread-safe.
 */
#ifndef VHDD_ISSUE_PROBE_H
#define VHDD_ISSUE_PROBE_H

#include <stdbool.h>
#include <stdint.h>

enum vhdd_issue_match {
	VHDD_ISSUE_FOUND,
	VHDD_ISSUE_CONTINUED,  /* the rest of a block request that FUSE split */
	VHDD_ISSUE_MISMATCHED, /* what is noted for the sector is of another request */
	VHDD_ISSUE_MISSING,    /* nothing is noted for the sector */
};

struct vhdd_issue_probe;

/* Loads and attaches the program, which then watches no disk. NULL after a message on stderr. */
struct vhdd_issue_probe *vhdd_issue_probe_new(void);
void vhdd_issue_probe_free(struct vhdd_issue_probe *probe);

/* Watches the disk with this device number from now on. */
void vhdd_issue_probe_watch(struct vhdd_issue_probe *probe, int major, int minor);

/* What the block layer knew of a request. */
struct vhdd_issued {
	uint16_t ioprio;   /* 0 (no priority) unless the match is FOUND or CONTINUED */
	int64_t issued_ns; /* CLOCK_MONOTONIC; 0 unless the match is FOUND */
};

/* Finds what is known of a request that arrived at the daemon; offset and length in bytes. */
enum vhdd_issue_match vhdd_issue_probe_find(struct vhdd_issue_probe *probe, uint64_t offset,
					    uint32_t length, bool write,
					    struct vhdd_issued *issued);

/* Events that the kernel did not run the program for, since it was loaded. */
uint64_t vhdd_issue_probe_lost(const struct vhdd_issue_probe *probe);

#endif
