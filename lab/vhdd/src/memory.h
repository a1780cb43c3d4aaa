/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much of the machine's memory disks may take. A part is kept for others: when the kernel has no memory
 * left, it kills processes. Looks at the machine as a whole (/proc/meminfo) and not at limits of control
 * groups.
 */
#ifndef VHDD_MEMORY_H
#define VHDD_MEMORY_H

#include <stdint.h>
#include <stdio.h>

/* In bytes. */
struct vhdd_memory {
	uint64_t available; /* MemAvailable */
	uint64_t left; /* what disks may still take: what is available without a sixteenth of all memory */
};

/* From the text of /proc/meminfo. All is 0 if the text does not tell. */
struct vhdd_memory vhdd_memory_parse(FILE *meminfo);

/* That of this machine, now. Takes some 20 microseconds. */
struct vhdd_memory vhdd_memory_now(void);

#endif
