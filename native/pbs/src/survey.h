/* SPDX-License-Identifier: Apache-2.0 */
/* What is below a file system: partition, disk and the disk's abilities; and how it is mounted. */
#ifndef PBS_SURVEY_H
#define PBS_SURVEY_H

#include "failure.h"
#include "hprio_pbs.h"
#include "mountinfo.h"

#include <sys/types.h>

/* The largest command, whatever the disk allows: each thread has a buffer of this size. */
#define PBS_MAX_COMMAND_BYTES (512 * 1024)

/*
 * Fills in info except access, hints and direct_refused. sysfs and proc are where these are mounted, "/sys" and
 * "/proc". ncq_refused says why ncq is impossible on this device; "" if nothing there speaks against it.
 * Needs no rights.
 */
void pbs_survey(const char *sysfs, const char *proc, dev_t device,
		const struct hprio_mount *mount, struct pbs_volume_info *info);

/* What tells a disk from another that is given the same number later. */
#define PBS_IDENTITY 160

/*
 * The disk's number, and the kernel's count of disks when it came (diskseq, Linux 5.15) or else its own name (wwid).
 * Only the number, if the kernel has neither.
 */
void pbs_survey_identity(const char *sysfs, dev_t disk, char identity[PBS_IDENTITY]);

/* The sg node of a disk ("sg0") and its number. False: there is none. */
bool pbs_survey_sg(const char *sysfs, dev_t disk, char name[PBS_NAME], dev_t *number);

/* What sysfs says of a disk that takes SCSI commands. -1 in a signed number: nothing. */
struct pbs_disk_info {
	dev_t number;
	char name[PBS_NAME]; /* e.g. "sda" */
	char model[PBS_NAME];
	bool ata;		  /* a SATA disk, behind any adapter */
	int32_t gpl;		  /* 0, 1: an ATA drive has the General Purpose Logging feature set */
	int32_t ncq_prio_enabled; /* 0, 1 */
	int32_t cdl_supported;	  /* 0, 1: command duration limits; since Linux 6.5 */
	int32_t cdl_enabled;	  /* 0, 1 */
};

/* Fills in info for a disk, or for that of a partition. Needs no rights. 0; or -1, and why. */
int pbs_survey_disk(const char *sysfs, dev_t device, struct pbs_disk_info *info,
		    struct pbs_failure *failure);

#endif
