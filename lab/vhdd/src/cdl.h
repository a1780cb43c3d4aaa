/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Command Duration Limits: what a drive's descriptors ask of one command.
 *
 * The rules are those of the mode pages T2A and T2B (SPC-6, 7.5.11.2: page 0Ah, subpages 07h and 08h) as ATA has
 * them (ACS-5, the Command Duration Limits log, address 18h). A drive has a page for reads and one for
 * writes; here one set of descriptors is for both. Not played are policy 0xF, which on ATA aborts all queued
 * commands and leaves it to the host to send them again, and policy 0xE, which ATA does not have.
 *
 * All times are nanoseconds, from the command's arrival unless said otherwise. Pure functions, safe from
 * any thread.
 */
#ifndef VHDD_CDL_H
#define VHDD_CDL_H

#include <stdbool.h>
#include <stdint.h>

/* Descriptors of a drive. The hint of an I/O priority names one by its number, 0: none (linux/ioprio.h). */
#define VHDD_CDL_DESCRIPTORS 7

/* In place of the time at which a command began, for one that still waits. */
#define VHDD_CDL_WAITING INT64_MAX

/* What becomes of a command that exceeds a limit; the numbers are the standards'. */
enum vhdd_cdl_policy {
	VHDD_CDL_EARLIEST = 0x0,    /* it goes on */
	VHDD_CDL_NEXT = 0x1,        /* it goes on with the next descriptor; guideline only, not in the last */
	VHDD_CDL_NO_LIMIT = 0x2,    /* it goes on without a descriptor; guideline only, not in the last */
	VHDD_CDL_UNAVAILABLE = 0xd, /* it ends at once, without data; all others stay as they are */
};

/* 0 ns: no limit. A time equal to the limit does not exceed it. */
struct vhdd_cdl_limit {
	int64_t ns;
	enum vhdd_cdl_policy policy;
};

struct vhdd_cdl_descriptor {
	struct vhdd_cdl_limit inactive;  /* from the arrival until the drive begins with the command */
	struct vhdd_cdl_limit active;    /* from then until the answer */
	struct vhdd_cdl_limit guideline; /* the target for the whole, on top of the fastest time */
};

/* A command as the rules see it. */
struct vhdd_cdl_command {
	unsigned descriptor; /* the one that it names; 0: none, and no rule applies */
	int64_t fastest_ns;  /* how long it takes at least if it is not in the buffer */
	int64_t begun_ns;    /* or VHDD_CDL_WAITING */
};

/* How a command has fared. Bit n - 1 of a set is descriptor n. */
struct vhdd_cdl_verdict {
	uint8_t used;      /* that applied to it: more than one after policy 0x1 */
	uint8_t inactive;  /* whose limit it has exceeded */
	uint8_t active;
	uint8_t guideline;
	bool unavailable;  /* it ended by the last one's policy 0xD, without data */
};

/* What a drive counts for one descriptor, as the device statistics do (ACS-6, log 04h, page 09h; SPC-6, 19h/21h). */
struct vhdd_cdl_counts {
	uint64_t commands;
	uint64_t met;      /* exceeded no limit */
	uint64_t inactive; /* exceeded this one; a command may exceed several */
	uint64_t active;
	uint64_t guideline;
	uint64_t unavailable;
};

/* The number of the descriptor that applies to a command of this age; 0: none. set is by number - 1. */
unsigned vhdd_cdl_applies(const struct vhdd_cdl_descriptor *set,
			  const struct vhdd_cdl_command *command, int64_t age_ns);

/* The first moment at which policy 0xD ends it if it has not been answered before; INT64_MAX: never. */
int64_t vhdd_cdl_end_ns(const struct vhdd_cdl_descriptor *set,
			const struct vhdd_cdl_command *command);

/* Judges a command that was answered, or has ended, at this time. */
struct vhdd_cdl_verdict vhdd_cdl_judge(const struct vhdd_cdl_descriptor *set,
				       const struct vhdd_cdl_command *command, int64_t done_ns,
				       bool unavailable);

/* Adds a command to the counts, which are by descriptor number - 1. */
void vhdd_cdl_count(struct vhdd_cdl_counts *counts, const struct vhdd_cdl_verdict *verdict);

#endif
