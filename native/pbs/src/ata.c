// SPDX-License-Identifier: Apache-2.0
#include "ata.h"

#include <string.h>

#define ATA_PASS_THROUGH_16 0x85
#define PROTOCOL_FPDMA 12
#define READ_FPDMA_QUEUED 0x60
#define DEVICE_LBA 0x40
#define PRIO_HIGH 2

/* Byte 1: PROTOCOL in bits 4:1, EXTEND (48-bit registers) in bit 0. */
#define PROTOCOL_BYTE (PROTOCOL_FPDMA << 1 | 1)
/* Byte 2: T_TYPE, T_DIR from the device, BYT_BLOK blocks, T_LENGTH in FEATURES. */
#define T_TYPE_LOGICAL_BLOCKS 0x10
#define T_DIR_IN 0x08
#define BYT_BLOK 0x04
#define T_LENGTH_FEATURES 0x01

/* The byte n of a number, 0 is the lowest. */
static uint8_t byte_of(uint64_t number, unsigned n)
{
	return (uint8_t)(number >> (8 * n));
}

static uint8_t transfer_byte(const struct pbs_ata_read *read)
{
	/* T_TYPE 0 means blocks of 512 bytes. */
	return T_DIR_IN | BYT_BLOK | T_LENGTH_FEATURES |
	       (read->block_bytes != 512 ? T_TYPE_LOGICAL_BLOCKS : 0);
}

/* COUNT bits 15:8, with PRIO in the upper two. */
static uint8_t count_high_byte(const struct pbs_ata_read *read)
{
	return read->level == PBS_LEVEL_HIGH ? PRIO_HIGH << 6 : 0;
}

void pbs_ata_read_cdb(const struct pbs_ata_read *read, uint8_t cdb[PBS_CDB_BYTES])
{
	memset(cdb, 0, PBS_CDB_BYTES);
	cdb[0] = ATA_PASS_THROUGH_16;
	cdb[1] = PROTOCOL_BYTE;
	cdb[2] = transfer_byte(read);
	cdb[3] = byte_of(read->blocks, 1);
	cdb[4] = byte_of(read->blocks, 0);
	cdb[5] = count_high_byte(read);
	/* The two halves of the 48-bit address, in the order in which the registers were once written. */
	cdb[7] = byte_of(read->lba, 3);
	cdb[8] = byte_of(read->lba, 0);
	cdb[9] = byte_of(read->lba, 4);
	cdb[10] = byte_of(read->lba, 1);
	cdb[11] = byte_of(read->lba, 5);
	cdb[12] = byte_of(read->lba, 2);
	cdb[13] = DEVICE_LBA;
	cdb[14] = READ_FPDMA_QUEUED;
}

static unsigned word_of(const uint8_t *data, unsigned word)
{
	return data[2 * word] | (unsigned)data[2 * word + 1] << 8;
}

void pbs_identify_parse(const uint8_t data[PBS_IDENTIFY_BYTES], struct pbs_identify *identify)
{
	unsigned capabilities = word_of(data, 76);
	unsigned features = word_of(data, 84);

	/* All ones or all zeros: the word is not filled (ACS, "Serial ATA Capabilities"). */
	if (capabilities == 0xffff)
		capabilities = 0;
	identify->ncq = capabilities & 1u << 8;
	identify->ncq_prio = capabilities & 1u << 12;
	identify->queue_depth = identify->ncq ? (int)(word_of(data, 75) & 0x1f) + 1 : 1;
	/* Bits 15:14 are 01b where the word is filled. */
	identify->gpl = features >> 14 == 1 && features & 1u << 5;
}
