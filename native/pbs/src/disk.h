/* A disk that commands can be sent to: its nodes in /dev, and the threads that keep it busy. */
#ifndef PBS_DISK_H
#define PBS_DISK_H

#include "drive.h"

struct pbs_disk;

/*
 * Opens the disk of a volume: its sg nodes for writing, which takes the file's mode only; else its
 * block node, for which the kernel asks CAP_SYS_RAWIO at every command. Reads the disk's first block
 * with READ FPDMA QUEUED, so that a controller that does not pass it on is found out here. info must be
 * of pbs_survey, with an empty ncq_refused. in_flight is of struct pbs_drive_config. 0; or -1, and why.
 */
int pbs_disk_open(const struct pbs_volume_info *info, unsigned in_flight, struct pbs_disk **disk,
		  struct pbs_failure *failure);

/* As pbs_drive_close. */
void pbs_disk_close(struct pbs_disk *disk);

/* Lives as long as the disk. */
struct pbs_drive *pbs_disk_drive(const struct pbs_disk *disk);

/* Whether it needs CAP_SYS_RAWIO for each command. */
bool pbs_disk_needs_rawio(const struct pbs_disk *disk);

#endif
