/* SPDX-License-Identifier: Apache-2.0 */
/* Asks a drive for its command duration limits through its node in /dev. */
#ifndef PBS_CDL_DRIVE_H
#define PBS_CDL_DRIVE_H

#include "cdl.h"
#include "failure.h"
#include "survey.h"

/*
 * As pbs_cdl_read, for a disk of pbs_survey_disk. Takes an sg node that may be opened for writing, else the
 * disk's own node. 0; or -1, and why: PBS_REASON_RIGHTS if neither may be opened.
 */
int pbs_cdl_read_drive(const struct pbs_disk_info *disk, struct pbs_cdl *cdl,
		       struct pbs_failure *failure);

#endif
