/*
 * The SCSI command that carries an NCQ read to a SATA drive, and what a drive says of itself. Pure
 * functions.
 */
#ifndef PBS_ATA_H
#define PBS_ATA_H

#include "hprio_pbs.h"

#include <stdbool.h>

#define PBS_CDB_MAX 32
#define PBS_ATA_BLOCKS_MAX 65536 /* of one READ FPDMA QUEUED (ACS, FEATURES of that command) */
#define PBS_IDENTIFY_BYTES 512

struct pbs_ata_read {
	uint64_t lba;	       /* the first logical block, below 2^48 */
	uint32_t blocks;       /* 1 to PBS_ATA_BLOCKS_MAX */
	uint32_t block_bytes;  /* 512 or 4096 */
	enum pbs_level level;
	uint8_t icc; /* isochronous command completion, with PBS_LEVEL_ISOCHRONOUS only */
};

/*
 * Builds the command and returns its length: ATA PASS-THROUGH(16) (SAT, "ATA PASS-THROUGH (16)
 * command"), or where there is an ICC to carry, which only that one does, ATA PASS-THROUGH(32). Linux'
 * libata takes both but drops the ICC: it sends 0.
 *
 * The ATA command is READ FPDMA QUEUED (ACS, 60h): block count in FEATURES, PRIO in COUNT bits 15:14,
 * bit 6 of DEVICE set; the tag in COUNT bits 7:3 is the kernel's.
 */
size_t pbs_ata_read_cdb(const struct pbs_ata_read *read, uint8_t cdb[PBS_CDB_MAX]);

struct pbs_identify {
	bool ncq;	/* word 76 bit 8 */
	bool ncq_prio;	/* word 76 bit 12 */
	int queue_depth; /* word 75 bits 4:0, plus one */
};

/* Reads the answer of IDENTIFY DEVICE (ACS; words are little endian). */
void pbs_identify_parse(const uint8_t data[PBS_IDENTIFY_BYTES], struct pbs_identify *identify);

#endif
