/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A drive's command duration limits: seven descriptors for reads and seven for writes, and what it counts for
 * each of them (ACS-5, "Command Duration Limits feature set"; SPC-6, "Command duration limits"). A command
 * names one by its index, 1 to 7. These types are the same for ATA and SCSI. Pure functions.
 */
#ifndef PBS_CDL_H
#define PBS_CDL_H

#include "failure.h"

#include <stdbool.h>

#define PBS_CDL_DESCRIPTORS PBS_DURATION_LIMITS
#define PBS_CDL_COUNTERS 4 /* most for one descriptor */
#define PBS_CDL_TEXT sizeof(((struct pbs_duration_limits *)0)->odd[0])

enum pbs_cdl_direction {
	PBS_CDL_READ,
	PBS_CDL_WRITE,
	PBS_CDL_DIRECTIONS,
};

/* What a limit counts: until the drive begins with the command, from then on, or both together. */
enum pbs_cdl_time {
	PBS_CDL_INACTIVE,
	PBS_CDL_ACTIVE,
	PBS_CDL_GUIDELINE,
	PBS_CDL_TIMES, /* as PBS_DURATION_TIMES */
};

struct pbs_cdl_limit {
	uint64_t ns;	/* 0: no limit, and the policy means nothing */
	int32_t policy; /* what the drive does when it is exceeded: 0h to Fh; -1: unknown */
};

/* What a counter counts: commands whose limit was exceeded, or all that named the descriptor. */
enum pbs_cdl_counts {
	PBS_CDL_COUNTS_NOTHING,
	PBS_CDL_COUNTS_INACTIVE,
	PBS_CDL_COUNTS_ACTIVE,
	PBS_CDL_COUNTS_EITHER, /* inactive or active time */
	PBS_CDL_COUNTS_COMMANDS,
	PBS_CDL_COUNTS_BOTH, /* inactive and active time */
	PBS_CDL_COUNTS_RESERVED,
};

struct pbs_cdl_counter {
	enum pbs_cdl_counts counts;
	bool valid; /* whether the drive has given a value */
	uint32_t value; /* since limits were switched on, or since the counter was last set to 0 */
};

struct pbs_cdl_descriptor {
	struct pbs_cdl_limit limit[PBS_CDL_TIMES];
	struct pbs_cdl_counter counter[PBS_CDL_COUNTERS];
	char odd[PBS_CDL_TEXT]; /* what of it the standard does not allow; "": nothing */
};

/* Where descriptors were read. */
enum pbs_cdl_source {
	PBS_CDL_FROM_NOWHERE,
	PBS_CDL_FROM_LOG,	 /* the drive's own log, ATA */
	PBS_CDL_FROM_MODE_PAGES, /* SCSI */
	PBS_CDL_FROM_LIBATA,	 /* mode pages that the kernel made of the log of an ATA drive */
};

/* -1 in a signed number: unknown. */
struct pbs_cdl {
	int32_t supported;	     /* 0, 1 */
	int32_t enabled;	     /* 0, 1: at the drive; SCSI has no switch there, it is then 1 */
	int32_t guideline_supported; /* 0, 1 */
	uint32_t min_us;	     /* the shortest and the longest limit; 0: not stated */
	uint32_t max_us;
	enum pbs_cdl_source source;
	struct pbs_cdl_descriptor descriptor[PBS_CDL_DIRECTIONS][PBS_CDL_DESCRIPTORS];
	char log_refused[PBS_TEXT]; /* why an ATA drive's own logs could not be read; "": they could, or SCSI */
	bool statistics;	    /* whether counters have been read */
	bool other_ranges; /* the drive counts for several actuators; the counters are those of the first */
	char statistics_refused[PBS_TEXT]; /* why they have not been read; "": they have, or there is no CDL */
};

/* Everything unknown, no descriptor. */
void pbs_cdl_init(struct pbs_cdl *cdl);

/*
 * Copies the descriptors for reads. 0; or -1, and why: the drive has no limits, they are off, or no descriptor has
 * one.
 */
int pbs_cdl_in_force(const struct pbs_cdl *cdl, struct pbs_duration_limits *limits,
		     struct pbs_failure *failure);

/* Whether a descriptor has a limit; one without has no effect on a command. */
bool pbs_cdl_is_set(const struct pbs_cdl_descriptor *descriptor);

/*
 * Says in odd if a limit has a policy that the standard reserves (SPC-6, "T2 command duration limit
 * descriptor"; ACS-5, "Command Duration Limits log", which lacks Eh). Keeps what odd says already.
 */
void pbs_cdl_check(struct pbs_cdl_descriptor *descriptor, bool ata);

/* Names in cdladm's words: "complete-earliest", ..., "reserved", "unknown". Static. */
const char *pbs_cdl_policy_name(int32_t policy);

/* "inactive", "active", "guideline". Static. */
const char *pbs_cdl_time_name(enum pbs_cdl_time time);

/* E.g. "commands"; "nothing". Static. */
const char *pbs_cdl_counts_name(enum pbs_cdl_counts counts);

/* E.g. "read", and where from for people. Static. */
const char *pbs_cdl_direction_name(enum pbs_cdl_direction direction);
const char *pbs_cdl_source_name(enum pbs_cdl_source source);

/* E.g. "inactive 50 ms abort, guideline 1500 us complete-earliest"; "no limit". Returns text. */
const char *pbs_cdl_format(const struct pbs_cdl_descriptor *descriptor, char *text, size_t size);

#endif
