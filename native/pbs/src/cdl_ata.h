/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Command duration limits of an ATA drive, from its logs (ACS-5, "General Purpose Logging feature set"). The
 * kernel translates log 18h to mode pages, but not the statistics, and with faults (see cdl_scsi.h); so logs
 * are read by ATA PASS-THROUGH. Numbers in logs are little endian. Pure functions.
 */
#ifndef PBS_CDL_ATA_H
#define PBS_CDL_ATA_H

#include "cdl.h"
#include "failure.h"
#include "scsi_query.h"

#define PBS_LOG_BYTES 512 /* of a page */

/* ACS-5, "Log address definition". */
#define PBS_LOG_DIRECTORY 0x00
#define PBS_LOG_DEVICE_STATISTICS 0x04
#define PBS_LOG_CDL 0x18
#define PBS_LOG_IDENTIFY_DEVICE_DATA 0x30
/* Pages of logs. Page 00h of logs 04h and 30h lists those that the drive has. */
#define PBS_LOG_PAGE_LIST 0x00
#define PBS_LOG_PAGE_SUPPORTED_CAPABILITIES 0x03 /* of log 30h */
#define PBS_LOG_PAGE_CURRENT_SETTINGS 0x04	 /* of log 30h */
#define PBS_LOG_PAGE_CDL_STATISTICS 0x09	 /* of log 04h */

/*
 * Builds the command that reads a page into buffer, PBS_LOG_BYTES: ATA PASS-THROUGH(16) (SAT-5) of READ LOG EXT
 * (ACS-5, 2Fh), PIO. FEATURES is 0: bit 0 would set the statistics to 0 ("read then initialize").
 *
 * It is no NCQ command. The kernel holds further commands back until those at the drive have ended, and sends
 * this one alone (libata-core.c, ata_std_qc_defer).
 */
struct pbs_scsi_query pbs_ata_read_log(uint8_t log, uint8_t page, void *buffer);

/* The number of pages of a log, 0 to 65535, according to log 00h; -1: this is no directory. */
int pbs_ata_log_pages(const uint8_t directory[PBS_LOG_BYTES], uint8_t log);

/*
 * These check that a page is the one that was asked for, of the revision that they know. If not: -1, and why.
 */

/* 0, 1: whether page 00h of a log lists a page. */
int pbs_ata_log_lists(const uint8_t list[PBS_LOG_BYTES], uint8_t log, uint8_t page,
		      struct pbs_failure *failure);

/* Each of the following fills in its part of cdl, and gives 0 if the page is right. */

/* Log 30h page 03h, bytes 168 to 191: supported, guideline_supported, min_us, max_us. */
int pbs_cdl_ata_capabilities(const uint8_t page[PBS_LOG_BYTES], struct pbs_cdl *cdl,
			     struct pbs_failure *failure);

/* Log 30h page 04h, bytes 8 to 15, bit 21: enabled. */
int pbs_cdl_ata_settings(const uint8_t page[PBS_LOG_BYTES], struct pbs_cdl *cdl,
			 struct pbs_failure *failure);

/*
 * Log 18h: the descriptors, limits in microseconds, and what their counters A and B count. The log has no
 * header, so that it cannot be told from another.
 */
void pbs_cdl_ata_descriptors(const uint8_t page[PBS_LOG_BYTES], struct pbs_cdl *cdl);

/*
 * Log 04h page 09h (ACS-6, "Device Statistics log", Command Duration Limits statistics): the counters' values.
 * After the descriptors, whose fields say what is counted; that it can be all commands is new in ACS-6.
 */
int pbs_cdl_ata_statistics(const uint8_t page[PBS_LOG_BYTES], struct pbs_cdl *cdl,
			   struct pbs_failure *failure);

#endif
