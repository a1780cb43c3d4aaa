/* SPDX-License-Identifier: Apache-2.0 */
/* What a drive reports when a command fails: sense data (SPC, "Sense data"). Pure functions. */
#ifndef PBS_SENSE_H
#define PBS_SENSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The largest size of sense data (SPC: 252). */
#define PBS_MAX_SENSE 252

struct pbs_sense {
	uint8_t key;
	uint8_t asc;
	uint8_t ascq;
	bool has_ata; /* ATA registers (SAT, "ATA Status Return sense data descriptor") */
	uint8_t ata_error;
	uint8_t ata_status;
	bool has_lba; /* of the first block that failed */
	uint64_t lba;
};

/*
 * Reads fixed format (70h, 71h) and descriptor format (72h, 73h), as far as there are bytes. The
 * field INFORMATION of fixed format is taken as SAT has it for ATA PASS-THROUGH: ERROR and STATUS.
 * False if this is not sense data.
 */
bool pbs_sense_parse(const uint8_t *bytes, size_t length, struct pbs_sense *sense);

/*
 * Whether the drive, or the adapter before it, does not know the command: it would answer the same to each such one.
 * A command that was aborted on the way to the drive, or by others, is none of these.
 */
bool pbs_sense_is_refusal(const struct pbs_sense *sense);

/* E.g. "medium error: unrecovered read error (3/11/04) at LBA 7, ATA status 41 error 40". */
const char *pbs_sense_format(const struct pbs_sense *sense, char *text, size_t size);

#endif
