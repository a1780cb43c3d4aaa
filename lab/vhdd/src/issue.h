/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the BPF program tells the daemon about a request of the block layer. Shared by both, so only
 * the kernel's types.
 */
#ifndef VHDD_ISSUE_H
#define VHDD_ISSUE_H

#include <linux/types.h>

/* Requests that the map remembers. A disk has 32 in flight; the rest is room for the LRU lists. */
#define VHDD_ISSUE_ENTRIES 65536

/* A read and a write of one sector may be in flight together, so the direction is in the key. */
struct vhdd_issue_key {
	__u64 sector; /* of 512 bytes, from the start of the disk */
	__u64 write;  /* 0 or 1 */
};

struct vhdd_issue {
	__u64 issued_ns; /* CLOCK_MONOTONIC */
	__u32 bytes;
	__u16 ioprio; /* class<<13 | hint<<3 | level, include/uapi/linux/ioprio.h */
	__u16 unused;
};

#endif
