/* SPDX-License-Identifier: Apache-2.0 */
/* A disk that commands can be sent to: its nodes in /dev, and the threads that keep it busy. */
#ifndef PBS_DISK_H
#define PBS_DISK_H

#include "drive.h"

/* An sg descriptor holds 16 commands (SG_MAX_QUEUE): this many hold one of each thread. */
#define PBS_MAX_NODES (PBS_MAX_THREADS / 16)

struct pbs_disk;

/* Open nodes of one disk. */
struct pbs_nodes {
	unsigned count; /* 1 to PBS_MAX_NODES */
	int node[PBS_MAX_NODES];
	bool need_rawio; /* each command needs CAP_SYS_RAWIO */
};

/*
 * Opens the nodes of a volume's disk: sg nodes for writing, which takes the file's mode only; else the
 * block node, for which the kernel asks CAP_SYS_RAWIO at every command. Reads the disk's first block
 * with READ FPDMA QUEUED at level high, so that a controller that does not pass it on, and a drive that aborts it,
 * is found out here; a disk that hangs keeps the caller for half a minute. A disk that does not know the command is not
 * asked again by this process for 10 minutes: the answer is that of before. Another disk that is given its number is
 * asked, and so is one whose failure may have passed. info must be of pbs_survey, with an empty ncq_refused. 0; or -1, and why. Thread-safe.
 */
int pbs_nodes_open(const struct pbs_volume_info *info, struct pbs_nodes *nodes,
		   struct pbs_failure *failure);

/* Also of none. */
void pbs_nodes_close(struct pbs_nodes *nodes);

/* Whether the nodes of all disks will need CAP_SYS_RAWIO: the kernel's module sg is not loaded. */
bool pbs_nodes_without_sg(void);

/*
 * A disk with these nodes, which it closes, also after a failure. in_flight is of struct pbs_drive_config. 0; or
 * -1, and why.
 */
int pbs_disk_open(const struct pbs_volume_info *info, const struct pbs_nodes *nodes,
		  unsigned in_flight, struct pbs_disk **disk, struct pbs_failure *failure);

/* As pbs_drive_close. */
void pbs_disk_close(struct pbs_disk *disk);

/* Lives as long as the disk. */
struct pbs_drive *pbs_disk_drive(const struct pbs_disk *disk);

#endif
