/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Command duration limits of a SCSI device, from mode and log pages (SPC-6). Numbers there are big endian. Pure
 * functions.
 *
 * libata makes the same mode pages of an ATA drive's log 18h (drivers/ata/libata-scsi.c,
 * ata_msense_control_spgt2). It rounds limits down to 10 ms, takes each descriptor's policies from the first
 * double word of the log instead of from the descriptor, and does not set the bit SPF. It has no log page for
 * the statistics. Its mode page 0Ah/F2h (ATA feature control) tells what the kernel remembers of the drive's
 * switch, not what the drive says. Hence an ATA drive's own logs come first (cdl_ata.h).
 */
#ifndef PBS_CDL_SCSI_H
#define PBS_CDL_SCSI_H

#include "cdl.h"
#include "failure.h"
#include "scsi_query.h"

#define PBS_MODE_BYTES 512 /* enough for a page with block descriptors before it */
#define PBS_LOG_SENSE_BYTES 1024

/* MODE SENSE(10) of control page 0Ah, subpage 07h (T2A: reads) or 08h (T2B: writes): the current values. */
struct pbs_scsi_query pbs_cdl_mode_sense(enum pbs_cdl_direction direction, void *buffer);

/*
 * Fills in the descriptors of one direction from length bytes of the answer, and source. A descriptor whose time
 * unit is reserved has no limits and says so in odd. ata: a SATA drive behind a translation, from which a page
 * without SPF is taken, with unknown policies. 0; or -1, and why.
 */
int pbs_cdl_mode_page(const uint8_t *bytes, size_t length, enum pbs_cdl_direction direction, bool ata,
		      struct pbs_cdl *cdl, struct pbs_failure *failure);

/* LOG SENSE(10) of page 19h, subpage 21h (Command Duration Limits Statistics): cumulative values. */
struct pbs_scsi_query pbs_cdl_log_sense(void *buffer);

/* Fills in the counters from length bytes of the answer. 0; or -1, and why. */
int pbs_cdl_log_page(const uint8_t *bytes, size_t length, struct pbs_cdl *cdl,
		     struct pbs_failure *failure);

#endif
