// SPDX-License-Identifier: Apache-2.0
#include "cdl_ata.h"

#include <stdio.h>

#define ATA_PASS_THROUGH_16 0x85
#define READ_LOG_EXT 0x2f
/* Byte 1: PROTOCOL PIO Data-In in bits 4:1, EXTEND. */
#define PROTOCOL_BYTE (4 << 1 | 1)
/* Byte 2: T_DIR from the device, BYT_BLOK blocks, T_LENGTH in COUNT. */
#define TRANSFER_BYTE (0x08 | 0x04 | 0x02)

#define DIRECTORY_VERSION 1
#define PAGE_REVISION 1
/* Of a qword in logs 30h and 04h; in the latter it says that the drive has the statistic. */
#define QWORD_VALID (UINT64_C(1) << 63)

#define CAPABILITIES_CDL 168
#define CAPABILITIES_MIN 176
#define CAPABILITIES_MAX 184
#define CDL_SUPPORTED (UINT64_C(1) << 0)
#define GUIDELINE_SUPPORTED (UINT64_C(1) << 1)
#define SETTINGS 8
#define CDL_ENABLED (UINT64_C(1) << 21)

#define DESCRIPTOR_BYTES 32
#define SELECTOR 12 /* that of counter A; that of counter B follows */
#define NS_PER_US 1000

#define STATISTIC_BYTES 8
#define STATISTIC_VALID (UINT64_C(1) << 62)

static uint64_t little_endian(const uint8_t *bytes, unsigned count)
{
	uint64_t number = 0;

	while (count > 0)
		number = number << 8 | bytes[--count];
	return number;
}

static uint64_t qword_of(const uint8_t *page, unsigned at)
{
	return little_endian(page + at, 8);
}

struct pbs_scsi_query pbs_ata_read_log(uint8_t log, uint8_t page, void *buffer)
{
	return (struct pbs_scsi_query){
		.cdb = {
			[0] = ATA_PASS_THROUGH_16,
			[1] = PROTOCOL_BYTE,
			[2] = TRANSFER_BYTE,
			[6] = 1, /* COUNT: pages */
			[8] = log, /* LBA 7:0 */
			[10] = page, /* LBA 15:8 */
			[14] = READ_LOG_EXT,
		},
		.cdb_bytes = PBS_CDB_BYTES,
		.buffer = buffer,
		.bytes = PBS_LOG_BYTES,
	};
}

int pbs_ata_log_pages(const uint8_t directory[PBS_LOG_BYTES], uint8_t log)
{
	if (little_endian(directory, 2) != DIRECTORY_VERSION)
		return -1;
	return (int)little_endian(directory + 2 * log, 2);
}

/* The header of pages of logs 30h and 04h: bits 23:16 page number, 15:0 revision. */
static int check_header(const uint8_t *page, uint8_t log, uint8_t number, struct pbs_failure *failure)
{
	unsigned revision = (unsigned)little_endian(page, 2);

	if (page[2] == number && revision == PAGE_REVISION)
		return 0;
	return pbs_fail(failure, PBS_REASON_COMMAND,
			"log %02xh: asked for page %02xh, got page %02xh of revision %u", log, number,
			page[2], revision);
}

int pbs_ata_log_lists(const uint8_t list[PBS_LOG_BYTES], uint8_t log, uint8_t page,
		      struct pbs_failure *failure)
{
	unsigned count = list[8];

	if (check_header(list, log, PBS_LOG_PAGE_LIST, failure))
		return -1;
	for (unsigned i = 0; i < count; i++)
		if (list[9 + i] == page)
			return 1;
	return 0;
}

/* Microseconds; 0 if not stated. */
static uint32_t stated_limit(const uint8_t *page, unsigned at)
{
	uint64_t qword = qword_of(page, at);

	return qword & QWORD_VALID ? (uint32_t)qword : 0;
}

int pbs_cdl_ata_capabilities(const uint8_t page[PBS_LOG_BYTES], struct pbs_cdl *cdl,
			     struct pbs_failure *failure)
{
	uint64_t qword = qword_of(page, CAPABILITIES_CDL);

	if (check_header(page, PBS_LOG_IDENTIFY_DEVICE_DATA, PBS_LOG_PAGE_SUPPORTED_CAPABILITIES,
			 failure))
		return -1;
	if (!(qword & QWORD_VALID))
		qword = 0;
	cdl->supported = (qword & CDL_SUPPORTED) != 0;
	cdl->guideline_supported = (qword & GUIDELINE_SUPPORTED) != 0;
	cdl->min_us = stated_limit(page, CAPABILITIES_MIN);
	cdl->max_us = stated_limit(page, CAPABILITIES_MAX);
	return 0;
}

int pbs_cdl_ata_settings(const uint8_t page[PBS_LOG_BYTES], struct pbs_cdl *cdl,
			 struct pbs_failure *failure)
{
	uint64_t qword = qword_of(page, SETTINGS);

	if (check_header(page, PBS_LOG_IDENTIFY_DEVICE_DATA, PBS_LOG_PAGE_CURRENT_SETTINGS, failure))
		return -1;
	if (qword & QWORD_VALID)
		cdl->enabled = (qword & CDL_ENABLED) != 0;
	return 0;
}

static void parse_limit(const uint8_t *microseconds, unsigned policy, struct pbs_cdl_limit *limit)
{
	limit->ns = little_endian(microseconds, 4) * NS_PER_US;
	limit->policy = (int32_t)(policy & 0xf);
}

static enum pbs_cdl_counts counts_of(uint8_t selector)
{
	return selector <= PBS_CDL_COUNTS_COMMANDS ? (enum pbs_cdl_counts)selector
						   : PBS_CDL_COUNTS_RESERVED;
}

static void parse_descriptor(const uint8_t *bytes, struct pbs_cdl_descriptor *descriptor)
{
	unsigned policies = (unsigned)little_endian(bytes, 4);

	parse_limit(bytes + 8, policies >> 8, &descriptor->limit[PBS_CDL_INACTIVE]);
	parse_limit(bytes + 4, policies >> 4, &descriptor->limit[PBS_CDL_ACTIVE]);
	parse_limit(bytes + 16, policies, &descriptor->limit[PBS_CDL_GUIDELINE]);
	descriptor->counter[0].counts = counts_of(bytes[SELECTOR]);
	descriptor->counter[1].counts = counts_of(bytes[SELECTOR + 1]);
	pbs_cdl_check(descriptor, true);
}

void pbs_cdl_ata_descriptors(const uint8_t page[PBS_LOG_BYTES], struct pbs_cdl *cdl)
{
	static const unsigned start[PBS_CDL_DIRECTIONS] = {
		[PBS_CDL_READ] = 64,
		[PBS_CDL_WRITE] = 288,
	};

	for (unsigned direction = 0; direction < PBS_CDL_DIRECTIONS; direction++)
		for (unsigned i = 0; i < PBS_CDL_DESCRIPTORS; i++)
			parse_descriptor(page + start[direction] + i * DESCRIPTOR_BYTES,
					 &cdl->descriptor[direction][i]);
	cdl->source = PBS_CDL_FROM_LOG;
}

static void parse_counter(uint64_t qword, struct pbs_cdl_counter *counter)
{
	counter->valid = counter->counts != PBS_CDL_COUNTS_NOTHING && qword & QWORD_VALID &&
			 qword & STATISTIC_VALID;
	counter->value = counter->valid ? (uint32_t)qword : 0;
}

int pbs_cdl_ata_statistics(const uint8_t page[PBS_LOG_BYTES], struct pbs_cdl *cdl,
			   struct pbs_failure *failure)
{
	/* The statistics A of reads, A of writes, B of reads, B of writes; then those of the next actuator. */
	unsigned at = 16;

	if (check_header(page, PBS_LOG_DEVICE_STATISTICS, PBS_LOG_PAGE_CDL_STATISTICS, failure))
		return -1;
	for (unsigned which = 0; which < 2; which++)
		for (unsigned direction = 0; direction < PBS_CDL_DIRECTIONS; direction++)
			for (unsigned i = 0; i < PBS_CDL_DESCRIPTORS; i++, at += STATISTIC_BYTES)
				parse_counter(qword_of(page, at),
					      &cdl->descriptor[direction][i].counter[which]);
	cdl->other_ranges = (qword_of(page, at) & QWORD_VALID) != 0;
	cdl->statistics = true;
	return 0;
}
