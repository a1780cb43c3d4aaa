/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The SCSI command that carries an NCQ read to a SATA drive, and what a drive says of itself. Pure
 * functions.
 */
#ifndef PBS_ATA_H
#define PBS_ATA_H

#include "hprio_pbs.h"

#include <stdbool.h>

#define PBS_CDB_BYTES 16
#define PBS_MAX_ATA_BLOCKS 65536 /* of one READ FPDMA QUEUED (ACS, FEATURES of that command) */
#define PBS_IDENTIFY_BYTES 512

struct pbs_ata_read {
	uint64_t lba;	       /* the first logical block, below 2^48 */
	uint32_t blocks;       /* 1 to PBS_MAX_ATA_BLOCKS */
	uint32_t block_bytes;  /* 512 or 4096 */
	enum pbs_level level;
};

/*
 * Builds the command, an ATA PASS-THROUGH(16) (SAT, "ATA PASS-THROUGH (16) command").
 *
 * The ATA command is READ FPDMA QUEUED (ACS, 60h): block count in FEATURES, PRIO in COUNT bits 15:14,
 * bit 6 of DEVICE set; the tag in COUNT bits 7:3 is the kernel's.
 */
void pbs_ata_read_cdb(const struct pbs_ata_read *read, uint8_t cdb[PBS_CDB_BYTES]);

struct pbs_identify {
	bool ncq;	/* word 76 bit 8 */
	bool ncq_prio;	/* word 76 bit 12 */
	int queue_depth; /* word 75 bits 4:0, plus one */
	bool gpl;	/* word 84 bit 5: General Purpose Logging, READ LOG EXT */
};

/* Reads the answer of IDENTIFY DEVICE (ACS; words are little endian). */
void pbs_identify_parse(const uint8_t data[PBS_IDENTIFY_BYTES], struct pbs_identify *identify);

#endif
