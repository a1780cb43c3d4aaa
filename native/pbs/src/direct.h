/* SPDX-License-Identifier: Apache-2.0 */
/* Reads with O_DIRECT and a priority of their own, through io_uring. Thread-safe. */
#ifndef PBS_DIRECT_H
#define PBS_DIRECT_H

#include "failure.h"

#include <stdbool.h>

/* Alignment of buffers, offsets and lengths for O_DIRECT that satisfies every file system. */
#define PBS_DIRECT_ALIGNMENT 4096

struct pbs_direct;

/* 0; or -1, and why: io_uring can be switched off (sysctl kernel.io_uring_disabled, seccomp). */
int pbs_direct_open(struct pbs_direct **direct, struct pbs_failure *failure);

/* Whether the kernel takes a request whose ioprio has a hint. */
bool pbs_direct_takes_hints(struct pbs_direct *direct);

/* No read may be in progress. NULL is allowed. */
void pbs_direct_close(struct pbs_direct *direct);

/*
 * Reads from fd, which is open with O_DIRECT. ioprio is the kernel's encoding. Without the right to
 * class real-time, such a read is done as be:0 with the same hint and sets lowered. Returns the bytes read,
 * fewer than length only at the file's end; or -1, and why: PBS_REASON_EXPIRED if the drive ended a request
 * with a hint because of its duration limit.
 */
int64_t pbs_direct_read(struct pbs_direct *direct, int fd, void *buffer, uint64_t length,
			uint64_t offset, uint16_t ioprio, bool *lowered,
			struct pbs_failure *failure);

#endif
