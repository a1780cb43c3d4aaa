/* SPDX-License-Identifier: Apache-2.0 */
/* Sends a command to a disk and waits for it: ioctl SG_IO, interface version 3 (<scsi/sg.h>). */
#ifndef PBS_SGIO_H
#define PBS_SGIO_H

#include "ata.h"
#include "failure.h"
#include "scsi_query.h"

#include <scsi/sg.h>

#define PBS_SGIO_REFUSED (-2)

/*
 * Reads into buffer, which holds the blocks. fd is an open sg node, or that of the whole disk. The
 * driver gives up after timeout_ms; it then resets the link, which disturbs all users of the disk. A
 * read of a level above normal goes to the head of the disk's queue in the kernel. 0; or -1, and why:
 * the text explains sense data, host and driver status; PBS_SGIO_REFUSED instead of -1 if the drive, or the adapter
 * before it, does not know the command (pbs_sense_is_refusal).
 */
int pbs_sgio_read(int fd, const struct pbs_ata_read *read, void *buffer, uint32_t timeout_ms,
		  struct pbs_failure *failure);

/*
 * Sends a query and fills in its answers. An answer that is shorter than the buffer is no failure. Some queries
 * the kernel allows to everyone who may open fd for reading (drivers/scsi/scsi_ioctl.c, scsi_cmd_allowed), not
 * ATA PASS-THROUGH. timeout_ms and the result are as above.
 */
int pbs_sgio_query(int fd, struct pbs_scsi_query *query, uint32_t timeout_ms,
		   struct pbs_failure *failure);

/* Whether a completed command has read everything. As pbs_sgio_read. A pure function. */
int pbs_sgio_judge(const struct sg_io_hdr *answer, struct pbs_failure *failure);

#endif
