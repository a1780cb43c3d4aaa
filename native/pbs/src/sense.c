// SPDX-License-Identifier: Apache-2.0
#include "sense.h"

#include <stdio.h>
#include <string.h>

#define DESCRIPTOR_INFORMATION 0x00
#define DESCRIPTOR_ATA_STATUS 0x09
#define VALID 0x80
/* Sense keys. */
#define ILLEGAL_REQUEST 0x5
#define ABORTED_COMMAND 0xb
/* Additional sense codes. */
#define UNKNOWN_COMMAND 0x20
#define INVALID_FIELD 0x24

static void parse_fixed(const uint8_t *bytes, size_t length, struct pbs_sense *sense)
{
	sense->key = length > 2 ? bytes[2] & 0x0f : 0;
	sense->asc = length > 12 ? bytes[12] : 0;
	sense->ascq = length > 13 ? bytes[13] : 0;
	if (length > 4 && bytes[0] & VALID) {
		sense->has_ata = true;
		sense->ata_error = bytes[3];
		sense->ata_status = bytes[4];
	}
}

static void parse_information(const uint8_t *descriptor, struct pbs_sense *sense)
{
	if (!(descriptor[2] & VALID))
		return;
	sense->has_lba = true;
	sense->lba = 0;
	for (unsigned i = 4; i < 12; i++)
		sense->lba = sense->lba << 8 | descriptor[i];
}

static void parse_ata_status(const uint8_t *descriptor, struct pbs_sense *sense)
{
	/* Registers of bits 47:40, 39:32, 31:24, 23:16, 15:8, 7:0. */
	static const uint8_t order[] = {10, 8, 6, 11, 9, 7};

	sense->has_ata = true;
	sense->ata_error = descriptor[3];
	sense->ata_status = descriptor[13];
	sense->has_lba = true;
	sense->lba = 0;
	for (size_t i = 0; i < sizeof(order); i++)
		sense->lba = sense->lba << 8 | descriptor[order[i]];
}

static void parse_descriptors(const uint8_t *bytes, size_t length, struct pbs_sense *sense)
{
	size_t end = length > 7 ? 8u + bytes[7] : 0;

	if (end > length)
		end = length;
	for (size_t at = 8; at + 2 <= end;) {
		const uint8_t *descriptor = bytes + at;
		size_t size = 2u + descriptor[1];

		if (size > end - at)
			return;
		if (descriptor[0] == DESCRIPTOR_INFORMATION && size >= 12)
			parse_information(descriptor, sense);
		if (descriptor[0] == DESCRIPTOR_ATA_STATUS && size >= 14)
			parse_ata_status(descriptor, sense);
		at += size;
	}
}

bool pbs_sense_parse(const uint8_t *bytes, size_t length, struct pbs_sense *sense)
{
	memset(sense, 0, sizeof(*sense));
	if (length == 0)
		return false;
	switch (bytes[0] & 0x7f) {
	case 0x70:
	case 0x71:
		parse_fixed(bytes, length, sense);
		return true;
	case 0x72:
	case 0x73:
		sense->key = length > 1 ? bytes[1] & 0x0f : 0;
		sense->asc = length > 2 ? bytes[2] : 0;
		sense->ascq = length > 3 ? bytes[3] : 0;
		parse_descriptors(bytes, length, sense);
		return true;
	default:
		return false;
	}
}

bool pbs_sense_is_refusal(const struct pbs_sense *sense)
{
	if (sense->key == ILLEGAL_REQUEST)
		return sense->asc == UNKNOWN_COMMAND || sense->asc == INVALID_FIELD;
	/* The drive's ABRT; with any other code it was the link, a time-out, a reset. */
	return sense->key == ABORTED_COMMAND && sense->asc == 0;
}

/* SPC, "Sense key descriptions". */
static const char *const key_names[16] = {
	"no sense",	   "recovered error", "not ready",	 "medium error",
	"hardware error",  "illegal request", "unit attention",	 "data protect",
	"blank check",	   "vendor specific", "copy aborted",	 "aborted command",
	"reserved key 12", "volume overflow", "miscompare",	 "completed",
};

/* Those that SATA drives cause (SPC, "ASC and ASCQ assignments"). NULL: none of them. */
static const char *additional_name(uint8_t asc, uint8_t ascq)
{
	static const struct {
		uint8_t asc;
		uint8_t ascq;
		const char *name;
	} names[] = {
		{0x00, 0x1d, "ATA pass-through information"},
		{0x04, 0x00, "not ready, cause not reportable"},
		{0x08, 0x01, "time-out on the way to the drive"},
		{0x11, 0x00, "unrecovered read error"},
		{0x11, 0x04, "unrecovered read error"},
		{0x20, 0x00, "unknown command"},
		{0x21, 0x00, "LBA out of range"},
		{0x24, 0x00, "invalid field in the command"},
		{0x29, 0x00, "power on or reset"},
		{0x3a, 0x00, "no medium"},
		{0x44, 0x00, "internal failure of the drive"},
		{0x47, 0x00, "transfer error on the link"},
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].asc == asc && names[i].ascq == ascq)
			return names[i].name;
	return NULL;
}

const char *pbs_sense_format(const struct pbs_sense *sense, char *text, size_t size)
{
	const char *additional = additional_name(sense->asc, sense->ascq);
	char lba[40] = "";
	char ata[40] = "";

	if (sense->has_lba)
		snprintf(lba, sizeof(lba), " at LBA %llu", (unsigned long long)sense->lba);
	if (sense->has_ata)
		snprintf(ata, sizeof(ata), ", ATA status %02x error %02x", sense->ata_status,
			 sense->ata_error);
	snprintf(text, size, "%s%s%s (%x/%02x/%02x)%s%s", key_names[sense->key & 0x0f],
		 additional ? ": " : "", additional ? additional : "", sense->key, sense->asc,
		 sense->ascq, lba, ata);
	return text;
}
