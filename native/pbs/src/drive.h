/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps commands of many reads at a drive: a queue, and threads that send a command each. Thread-safe.
 */
#ifndef PBS_DRIVE_H
#define PBS_DRIVE_H

#include "ata.h"
#include "plan.h"

/* There are as many at most: one for each command at the drive. */
#define PBS_MAX_THREADS PBS_MAX_PIECES

/*
 * What a thread, 0 to PBS_MAX_THREADS - 1, calls to send a command and wait for it: 0; or below 0, and why.
 */
typedef int pbs_execute(void *context, unsigned thread, const struct pbs_ata_read *read,
			void *buffer, struct pbs_failure *failure);

struct pbs_drive_config {
	pbs_execute *execute;
	void *context;
	unsigned in_flight; /* commands at the drive at most, 1 to PBS_MAX_PIECES */
	uint32_t block_bytes;
	uint32_t command_bytes;
};

/* How a read wants to be served. Times are CLOCK_MONOTONIC in ns. */
struct pbs_order {
	enum pbs_level level;
	int64_t deadline; /* when the reader gives up; 0: never */
	int64_t raise_at; /* when a normal read is sent again as high; 0: never */
	bool sync; /* the file's dirty pages are to be written first; takes as long as it takes */
};

/* Added up over reads. */
struct pbs_served {
	unsigned commands;
	bool raised;
};

struct pbs_drive;

/* 0, or -errno. */
int pbs_drive_open(const struct pbs_drive_config *config, struct pbs_drive **drive);

/*
 * Waits for the commands at the drive, which may be those of reads that gave up. No read may be in
 * progress.
 */
void pbs_drive_close(struct pbs_drive *drive);

/*
 * Does all pieces of the plan, into buffer. 0; or -1, and why. When it returns nothing writes to
 * buffer any more: a command that is late reads into memory of its thread.
 */
int pbs_drive_read(struct pbs_drive *drive, const struct pbs_plan *plan,
		   const struct pbs_order *order, void *buffer, struct pbs_served *served,
		   struct pbs_failure *failure);

/* CLOCK_MONOTONIC in ns. */
int64_t pbs_now(void);

#endif
