// SPDX-License-Identifier: Apache-2.0
#include "cdl_scsi.h"

#include <stdio.h>

#define MODE_SENSE_10 0x5a
#define DBD 0x08 /* no block descriptors */
#define LOG_SENSE_10 0x4d
#define CUMULATIVE (1 << 6)

#define SPF 0x40 /* of both kinds of pages: there is a subpage code */
#define CONTROL_PAGE 0x0a
#define STATISTICS_PAGE 0x19
#define STATISTICS_SUBPAGE 0x21

#define MODE_HEADER_BYTES 8
#define PAGE_HEADER_BYTES 4
#define DESCRIPTORS 8 /* from the page's begin */
#define DESCRIPTOR_BYTES 32
#define MODE_PAGE_BYTES (DESCRIPTORS + PBS_CDL_DESCRIPTORS * DESCRIPTOR_BYTES)

#define PARAMETER_HEADER_BYTES 4
#define COUNTER_BYTES 4

static const uint8_t subpages[PBS_CDL_DIRECTIONS] = {
	[PBS_CDL_READ] = 0x07,
	[PBS_CDL_WRITE] = 0x08,
};

static uint32_t big_endian(const uint8_t *bytes, unsigned count)
{
	uint32_t number = 0;

	for (unsigned i = 0; i < count; i++)
		number = number << 8 | bytes[i];
	return number;
}

static int malformed(struct pbs_failure *failure, const char *what)
{
	return pbs_fail(failure, PBS_REASON_COMMAND, "%s", what);
}

/* --- mode pages ------------------------------------------------------------------------------- */

struct pbs_scsi_query pbs_cdl_mode_sense(enum pbs_cdl_direction direction, void *buffer)
{
	return (struct pbs_scsi_query){
		.cdb = {
			[0] = MODE_SENSE_10,
			[1] = DBD,
			[2] = CONTROL_PAGE, /* PC 00b: current values */
			[3] = subpages[direction],
			[7] = PBS_MODE_BYTES >> 8,
			[8] = PBS_MODE_BYTES & 0xff,
		},
		.cdb_bytes = 10,
		.buffer = buffer,
		.bytes = PBS_MODE_BYTES,
	};
}

/* T2CDLUNITS; 0: reserved, or no unit. */
static uint64_t unit_ns(unsigned unit)
{
	switch (unit) {
	case 0x6:
		return 500;
	case 0x8:
		return 1000;
	case 0xa:
		return 10 * 1000 * 1000;
	case 0xe:
		return 500 * 1000 * 1000;
	default:
		return 0;
	}
}

static void parse_descriptor(const uint8_t *bytes, bool policies, bool ata,
			     struct pbs_cdl_descriptor *descriptor)
{
	static const unsigned at[PBS_CDL_TIMES] = {
		[PBS_CDL_INACTIVE] = 2,
		[PBS_CDL_ACTIVE] = 4,
		[PBS_CDL_GUIDELINE] = 10,
	};
	const int32_t policy[PBS_CDL_TIMES] = {
		[PBS_CDL_INACTIVE] = bytes[6] >> 4,
		[PBS_CDL_ACTIVE] = bytes[6] & 0xf,
		[PBS_CDL_GUIDELINE] = bytes[14] & 0xf,
	};
	unsigned unit = bytes[0] & 0xf;
	uint32_t any = 0;

	for (unsigned time = 0; time < PBS_CDL_TIMES; time++) {
		uint32_t number = big_endian(bytes + at[time], 2);

		any |= number;
		descriptor->limit[time].ns = number * unit_ns(unit);
		descriptor->limit[time].policy = policies ? policy[time] : -1;
	}
	if (any && unit == 0)
		snprintf(descriptor->odd, sizeof(descriptor->odd), "it has times, but no unit");
	else if (any && unit_ns(unit) == 0)
		snprintf(descriptor->odd, sizeof(descriptor->odd), "it has the reserved time unit %xh",
			 unit);
	pbs_cdl_check(descriptor, ata);
}

/* The page within the answer. NULL, and why: it is not there, or not all of it. */
static const uint8_t *find_page(const uint8_t *bytes, size_t length, struct pbs_failure *failure)
{
	size_t end;
	size_t start;

	if (length < MODE_HEADER_BYTES) {
		malformed(failure, "MODE SENSE: the answer ends within its header");
		return NULL;
	}
	/* MODE DATA LENGTH does not count itself. */
	end = 2 + big_endian(bytes, 2);
	start = MODE_HEADER_BYTES + big_endian(bytes + 6, 2);
	if (end > length || end < start + MODE_PAGE_BYTES) {
		pbs_fail(failure, PBS_REASON_COMMAND,
			 "MODE SENSE: a page of %u bytes was asked for; the answer has %zu bytes, says "
			 "that it has %zu, and that the page begins at %zu",
			 MODE_PAGE_BYTES, length, end, start);
		return NULL;
	}
	return bytes + start;
}

int pbs_cdl_mode_page(const uint8_t *bytes, size_t length, enum pbs_cdl_direction direction, bool ata,
		      struct pbs_cdl *cdl, struct pbs_failure *failure)
{
	const uint8_t *page = find_page(bytes, length, failure);
	bool libata;

	if (!page)
		return -1;
	if ((page[0] & 0x3f) != CONTROL_PAGE || page[1] != subpages[direction])
		return pbs_fail(failure, PBS_REASON_COMMAND,
				"MODE SENSE: asked for page %02xh/%02xh, got %02xh/%02xh", CONTROL_PAGE,
				subpages[direction], page[0] & 0x3f, page[1]);
	libata = ata && !(page[0] & SPF);
	if (!(page[0] & SPF) && !ata)
		return malformed(failure, "MODE SENSE: the answer is no subpage");
	if (big_endian(page + 2, 2) != MODE_PAGE_BYTES - PAGE_HEADER_BYTES)
		return pbs_fail(failure, PBS_REASON_COMMAND,
				"MODE SENSE: page 0ah/%02xh has a length of %u bytes, not of %u",
				subpages[direction], big_endian(page + 2, 2),
				MODE_PAGE_BYTES - PAGE_HEADER_BYTES);
	for (unsigned i = 0; i < PBS_CDL_DESCRIPTORS; i++)
		parse_descriptor(page + DESCRIPTORS + i * DESCRIPTOR_BYTES, !libata, ata,
				 &cdl->descriptor[direction][i]);
	cdl->source = libata ? PBS_CDL_FROM_LIBATA : PBS_CDL_FROM_MODE_PAGES;
	return 0;
}

/* --- statistics ------------------------------------------------------------------------------- */

struct pbs_scsi_query pbs_cdl_log_sense(void *buffer)
{
	return (struct pbs_scsi_query){
		.cdb = {
			[0] = LOG_SENSE_10,
			[2] = CUMULATIVE | STATISTICS_PAGE,
			[3] = STATISTICS_SUBPAGE,
			[7] = PBS_LOG_SENSE_BYTES >> 8,
			[8] = PBS_LOG_SENSE_BYTES & 0xff,
		},
		.cdb_bytes = 10,
		.buffer = buffer,
		.bytes = PBS_LOG_SENSE_BYTES,
	};
}

/* That of parameters 0021h to 0027h (T2A) and 0041h to 0047h (T2B); NULL: another parameter. */
static struct pbs_cdl_descriptor *descriptor_of(struct pbs_cdl *cdl, unsigned parameter)
{
	unsigned index = (parameter & 0xf) - 1;

	if (index >= PBS_CDL_DESCRIPTORS)
		return NULL;
	switch (parameter & ~0xfu) {
	case 0x20:
		return &cdl->descriptor[PBS_CDL_READ][index];
	case 0x40:
		return &cdl->descriptor[PBS_CDL_WRITE][index];
	default:
		return NULL;
	}
}

static void parse_counters(const uint8_t *bytes, struct pbs_cdl_descriptor *descriptor)
{
	static const enum pbs_cdl_counts order[PBS_CDL_COUNTERS] = {
		PBS_CDL_COUNTS_INACTIVE,
		PBS_CDL_COUNTS_ACTIVE,
		PBS_CDL_COUNTS_BOTH,
		PBS_CDL_COUNTS_COMMANDS,
	};

	for (unsigned i = 0; i < PBS_CDL_COUNTERS; i++)
		descriptor->counter[i] = (struct pbs_cdl_counter){
			.counts = order[i],
			.valid = true,
			.value = big_endian(bytes + i * COUNTER_BYTES, COUNTER_BYTES),
		};
}

static int parse_parameter(const uint8_t *parameter, size_t size, struct pbs_cdl *cdl,
			   struct pbs_failure *failure)
{
	unsigned code = big_endian(parameter, 2);
	struct pbs_cdl_descriptor *descriptor = descriptor_of(cdl, code);

	if (!descriptor)
		return 0;
	if (size != PARAMETER_HEADER_BYTES + PBS_CDL_COUNTERS * COUNTER_BYTES)
		return pbs_fail(failure, PBS_REASON_COMMAND,
				"LOG SENSE: parameter %04xh has %zu bytes, not %u", code, size,
				PARAMETER_HEADER_BYTES + PBS_CDL_COUNTERS * COUNTER_BYTES);
	if (descriptor->counter[0].valid)
		return pbs_fail(failure, PBS_REASON_COMMAND,
				"LOG SENSE: parameter %04xh is there twice", code);
	parse_counters(parameter + PARAMETER_HEADER_BYTES, descriptor);
	return 0;
}

int pbs_cdl_log_page(const uint8_t *bytes, size_t length, struct pbs_cdl *cdl,
		     struct pbs_failure *failure)
{
	size_t end;
	size_t size;

	if (length < PAGE_HEADER_BYTES)
		return malformed(failure, "LOG SENSE: the answer ends within its header");
	if ((bytes[0] & 0x7f) != (SPF | STATISTICS_PAGE) || bytes[1] != STATISTICS_SUBPAGE)
		return pbs_fail(failure, PBS_REASON_COMMAND,
				"LOG SENSE: asked for page 19h/21h, got %02xh/%02xh", bytes[0] & 0x3f,
				bytes[1]);
	end = PAGE_HEADER_BYTES + big_endian(bytes + 2, 2);
	if (end > length)
		return pbs_fail(failure, PBS_REASON_COMMAND,
				"LOG SENSE: the answer has %zu bytes, but says that it has %zu", length,
				end);
	for (size_t at = PAGE_HEADER_BYTES; at < end; at += size) {
		if (end - at < PARAMETER_HEADER_BYTES)
			return malformed(failure, "LOG SENSE: the answer ends within a parameter");
		size = PARAMETER_HEADER_BYTES + bytes[at + 3];
		if (size > end - at)
			return malformed(failure, "LOG SENSE: the answer ends within a parameter");
		if (parse_parameter(bytes + at, size, cdl, failure))
			return -1;
	}
	cdl->statistics = true;
	return 0;
}
