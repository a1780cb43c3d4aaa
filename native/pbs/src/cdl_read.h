/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a drive's command duration limits, by whichever way the drive and the process's rights allow. */
#ifndef PBS_CDL_READ_H
#define PBS_CDL_READ_H

#include "cdl.h"
#include "failure.h"
#include "scsi_query.h"

/* Where the queries go; tests replace it. */
struct pbs_cdl_device {
	bool ata;    /* a SATA drive, behind any adapter */
	int32_t gpl; /* 0, 1: it has the General Purpose Logging feature set; -1: not known, it is tried */
	/* As pbs_sgio_query. */
	int (*query)(void *context, struct pbs_scsi_query *query, struct pbs_failure *failure);
	void *context;
};

/*
 * An ATA drive is asked for its logs. Where they cannot be read, e.g. without CAP_SYS_RAWIO, the kernel's
 * mode pages are taken and log_refused says why. A SCSI drive is asked for its mode pages and its log page.
 *
 * Changes nothing at the drive. Up to seven commands, one after the other; each ATA log waits until the drive's
 * queue is empty. 0, also for a drive without limits; or -1, and why, if it is not known whether it has them.
 */
int pbs_cdl_read(const struct pbs_cdl_device *device, struct pbs_cdl *cdl,
		 struct pbs_failure *failure);

#endif
