// SPDX-License-Identifier: Apache-2.0
/* Pages of ATA logs, written by hand as ACS-5 has them. */
#include "unit.h"

#include "cdl_ata.h"

#include <string.h>

struct page {
	uint8_t bytes[PBS_LOG_BYTES];
};

/* Pages of logs 30h and 04h: revision 1, page number. */
static struct page page_of(uint8_t number)
{
	return (struct page){{0x01, 0x00, number, 0, 0, 0, 0, 0x80}};
}

static void every_byte_of_the_command(void **state)
{
	static const uint8_t wanted[PBS_CDB_BYTES] = {
		0x85,			      /* ATA PASS-THROUGH(16) */
		0x09,			      /* PROTOCOL 4 (PIO Data-In), EXTEND */
		0x0e,			      /* T_DIR in, BYT_BLOK, T_LENGTH: COUNT */
		0x00, 0x00,		      /* FEATURES: nothing is set to 0 */
		0x00, 0x01,		      /* COUNT: one page */
		0x00, 0x04, 0x00, 0x09, 0, 0, /* LBA 7:0 the log, 15:8 the page */
		0x00, 0x2f, 0x00,	      /* DEVICE, READ LOG EXT, CONTROL */
	};
	uint8_t buffer[PBS_LOG_BYTES];
	struct pbs_scsi_query query = pbs_ata_read_log(0x04, 0x09, buffer);

	(void)state;
	assert_memory_equal(query.cdb, wanted, sizeof(wanted));
	assert_int_equal(query.cdb_bytes, 16);
	assert_int_equal(query.bytes, 512);
	assert_ptr_equal(query.buffer, buffer);
}

static void the_directory_tells_how_many_pages_a_log_has(void **state)
{
	struct page directory = {{0x01, 0x00}};

	(void)state;
	directory.bytes[2 * 0x18] = 1;
	directory.bytes[2 * 0x30] = 9;
	directory.bytes[2 * 0xff + 1] = 2;
	assert_int_equal(pbs_ata_log_pages(directory.bytes, PBS_LOG_CDL), 1);
	assert_int_equal(pbs_ata_log_pages(directory.bytes, PBS_LOG_IDENTIFY_DEVICE_DATA), 9);
	assert_int_equal(pbs_ata_log_pages(directory.bytes, 0xff), 512);
	assert_int_equal(pbs_ata_log_pages(directory.bytes, PBS_LOG_DEVICE_STATISTICS), 0);
	directory.bytes[0] = 0xff;
	assert_int_equal(pbs_ata_log_pages(directory.bytes, PBS_LOG_CDL), -1);
}

static void a_log_lists_its_pages(void **state)
{
	struct page list = page_of(0);
	struct pbs_failure failure;

	(void)state;
	memcpy(list.bytes + 8, (uint8_t[]){3, 0x00, 0x03, 0x04, 0x09}, 5);
	assert_int_equal(pbs_ata_log_lists(list.bytes, 0x30, 0x04, &failure), 1);
	/* Behind the list's end. */
	assert_int_equal(pbs_ata_log_lists(list.bytes, 0x30, 0x09, &failure), 0);
	list.bytes[8] = 0xff;
	assert_int_equal(pbs_ata_log_lists(list.bytes, 0x30, 0x0a, &failure), 0);
	list.bytes[2] = 7;
	assert_int_equal(pbs_ata_log_lists(list.bytes, 0x30, 0x04, &failure), -1);
	assert_string_equal(failure.text, "log 30h: asked for page 00h, got page 07h of revision 1");
}

static struct page capabilities(void)
{
	struct page page = page_of(3);

	page.bytes[168] = 0x03; /* CDL, guideline */
	page.bytes[175] = 0x80;
	page.bytes[176] = 0x20; /* 20 000 us */
	page.bytes[177] = 0x4e;
	page.bytes[183] = 0x80;
	memset(page.bytes + 184, 0xff, 4);
	page.bytes[191] = 0x80;
	return page;
}

static void what_a_drive_can_do(void **state)
{
	struct page page = capabilities();
	struct pbs_failure failure;
	struct pbs_cdl cdl;

	(void)state;
	pbs_cdl_init(&cdl);
	assert_int_equal(pbs_cdl_ata_capabilities(page.bytes, &cdl, &failure), 0);
	assert_int_equal(cdl.supported, 1);
	assert_int_equal(cdl.guideline_supported, 1);
	assert_int_equal(cdl.min_us, 20000);
	assert_int_equal(cdl.max_us, UINT32_MAX);
	/* The qwords are not valid. */
	page.bytes[175] = 0;
	page.bytes[183] = 0;
	assert_int_equal(pbs_cdl_ata_capabilities(page.bytes, &cdl, &failure), 0);
	assert_int_equal(cdl.supported, 0);
	assert_int_equal(cdl.guideline_supported, 0);
	assert_int_equal(cdl.min_us, 0);
}

static void whether_limits_are_on(void **state)
{
	struct page page = page_of(4);
	struct pbs_failure failure;
	struct pbs_cdl cdl;

	(void)state;
	pbs_cdl_init(&cdl);
	page.bytes[10] = 0x20; /* bit 21 */
	assert_int_equal(pbs_cdl_ata_settings(page.bytes, &cdl, &failure), 0);
	assert_int_equal(cdl.enabled, -1);
	page.bytes[15] = 0x80;
	assert_int_equal(pbs_cdl_ata_settings(page.bytes, &cdl, &failure), 0);
	assert_int_equal(cdl.enabled, 1);
	page.bytes[10] = 0xdf;
	assert_int_equal(pbs_cdl_ata_settings(page.bytes, &cdl, &failure), 0);
	assert_int_equal(cdl.enabled, 0);
}

/* The sixth byte of the header may be anything, the page number and the revision may not. */
static void another_page_is_refused(void **state)
{
	static const struct {
		unsigned at;
		uint8_t value;
	} faults[] = {{0, 0x00}, {0, 0x02}, {1, 0x01}, {2, 0x00}, {2, 0x05}, {2, 0xff}};

	(void)state;
	for (size_t i = 0; i < COUNT(faults); i++) {
		struct page can = capabilities();
		struct page is = page_of(4);
		struct page counted = page_of(9);
		struct pbs_failure failure;
		struct pbs_cdl cdl;

		pbs_cdl_init(&cdl);
		can.bytes[faults[i].at] = faults[i].value;
		is.bytes[faults[i].at] = faults[i].value;
		counted.bytes[faults[i].at] = faults[i].value;
		assert_int_equal(pbs_cdl_ata_capabilities(can.bytes, &cdl, &failure), -1);
		assert_int_equal(pbs_cdl_ata_settings(is.bytes, &cdl, &failure), -1);
		assert_int_equal(pbs_cdl_ata_statistics(counted.bytes, &cdl, &failure), -1);
		assert_int_equal(failure.reason, PBS_REASON_COMMAND);
		assert_int_equal(cdl.supported, -1);
		assert_int_equal(cdl.enabled, -1);
		assert_false(cdl.statistics);
	}
}

/* Read 1 has all limits, read 3 a guideline; write 7 an active limit; the others are empty. */
static struct page descriptors(void)
{
	static const uint8_t read_1[32] = {
		0xd1, 0x0f, 0x00, 0x00, /* policies: inactive Fh, active Dh, guideline 1h */
		0x20, 0xa1, 0x07, 0x00, /* active 500 000 us */
		0x50, 0xc3, 0x00, 0x00, /* inactive 50 000 us */
		0x01, 0x04, 0x00, 0x00, /* counter A: inactive; counter B: commands */
		0xdd, 0x05, 0x00, 0x00, /* guideline 1501 us */
	};
	static const uint8_t read_3[32] = {
		0xff, 0x0f, 0x00, 0x00, 0, 0, 0, 0, 0, 0, 0, 0,
		0x03, 0x02, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff,
	};
	static const uint8_t write_7[32] = {0xf0, 0x00, 0, 0, 0x40, 0x42, 0x0f};
	struct page page = {{0}};

	page.bytes[0] = 0x05; /* how much throughput a guideline may cost */
	memcpy(page.bytes + 64, read_1, sizeof(read_1));
	memcpy(page.bytes + 128, read_3, sizeof(read_3));
	memcpy(page.bytes + 480, write_7, sizeof(write_7));
	return page;
}

static void assert_format(const struct pbs_cdl_descriptor *descriptor, const char *wanted)
{
	char text[PBS_TEXT];

	assert_string_equal(pbs_cdl_format(descriptor, text, sizeof(text)), wanted);
}

static void limits_and_policies_are_each_descriptors_own(void **state)
{
	struct page page = descriptors();
	struct pbs_cdl cdl;

	(void)state;
	pbs_cdl_init(&cdl);
	pbs_cdl_ata_descriptors(page.bytes, &cdl);
	assert_int_equal(cdl.source, PBS_CDL_FROM_LOG);
	assert_format(&cdl.descriptor[PBS_CDL_READ][0],
		      "inactive 50 ms abort, active 500 ms complete-unavailable, "
		      "guideline 1501 us continue-next-limit");
	assert_format(&cdl.descriptor[PBS_CDL_READ][1], "no limit");
	assert_format(&cdl.descriptor[PBS_CDL_READ][2], "guideline 4294967295 us abort");
	assert_format(&cdl.descriptor[PBS_CDL_WRITE][0], "no limit");
	assert_format(&cdl.descriptor[PBS_CDL_WRITE][6], "active 1000 ms abort");
	for (unsigned direction = 0; direction < PBS_CDL_DIRECTIONS; direction++)
		for (unsigned i = 0; i < PBS_CDL_DESCRIPTORS; i++)
			assert_string_equal(cdl.descriptor[direction][i].odd, "");
	assert_int_equal(cdl.descriptor[PBS_CDL_READ][0].counter[0].counts, PBS_CDL_COUNTS_INACTIVE);
	assert_int_equal(cdl.descriptor[PBS_CDL_READ][0].counter[1].counts, PBS_CDL_COUNTS_COMMANDS);
	assert_int_equal(cdl.descriptor[PBS_CDL_READ][2].counter[0].counts, PBS_CDL_COUNTS_EITHER);
	assert_int_equal(cdl.descriptor[PBS_CDL_READ][2].counter[1].counts, PBS_CDL_COUNTS_ACTIVE);
}

static void a_policy_that_is_reserved_is_marked(void **state)
{
	static const struct {
		uint8_t policies[2]; /* guideline and active; inactive */
		const char *odd;
	} cases[] = {
		{{0x00, 0x00}, ""},
		{{0xf2, 0x0f}, ""},
		{{0x03, 0x00}, "guideline has the reserved policy 3h"},
		{{0x10, 0x00}, "active has the reserved policy 1h"},
		{{0xe0, 0x00}, "active has the reserved policy eh"},
		{{0x00, 0x02}, "inactive has the reserved policy 2h"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct page page = descriptors();
		struct pbs_cdl cdl;

		pbs_cdl_init(&cdl);
		memcpy(page.bytes + 64, cases[i].policies, 2);
		/* The empty descriptor's policies mean nothing. */
		memset(page.bytes + 96, 0xee, 2);
		pbs_cdl_ata_descriptors(page.bytes, &cdl);
		assert_string_equal(cdl.descriptor[PBS_CDL_READ][0].odd, cases[i].odd);
		assert_string_equal(cdl.descriptor[PBS_CDL_READ][1].odd, "");
	}
}

static void counters_are_found(void **state)
{
	struct page log = descriptors();
	struct page page = page_of(9);
	struct pbs_failure failure;
	struct pbs_cdl cdl;

	(void)state;
	/* Read 1, A: 7, and B: 1000. The drive has the statistic (bit 63), and it is valid (62). */
	memcpy(page.bytes + 16, (uint8_t[]){7, 0, 0, 0, 0, 0, 0, 0xc0}, 8);
	memcpy(page.bytes + 128, (uint8_t[]){0xe8, 0x03, 0, 0, 0, 0, 0, 0xc4}, 8);
	/* Read 3, A: not valid; B: the drive lacks it. */
	memcpy(page.bytes + 32, (uint8_t[]){5, 0, 0, 0, 0, 0, 0, 0x80}, 8);
	memcpy(page.bytes + 144, (uint8_t[]){5, 0, 0, 0, 0, 0, 0, 0x40}, 8);
	/* Write 7, A: its selector says that it counts nothing. */
	memcpy(page.bytes + 120, (uint8_t[]){5, 0, 0, 0, 0, 0, 0, 0xc0}, 8);
	pbs_cdl_init(&cdl);
	pbs_cdl_ata_descriptors(log.bytes, &cdl);
	assert_int_equal(pbs_cdl_ata_statistics(page.bytes, &cdl, &failure), 0);
	assert_true(cdl.statistics);
	assert_false(cdl.other_ranges);
	assert_true(cdl.descriptor[PBS_CDL_READ][0].counter[0].valid);
	assert_int_equal(cdl.descriptor[PBS_CDL_READ][0].counter[0].value, 7);
	assert_int_equal(cdl.descriptor[PBS_CDL_READ][0].counter[1].value, 1000);
	assert_false(cdl.descriptor[PBS_CDL_READ][2].counter[0].valid);
	assert_false(cdl.descriptor[PBS_CDL_READ][2].counter[1].valid);
	assert_false(cdl.descriptor[PBS_CDL_WRITE][6].counter[0].valid);
	page.bytes[240 + 7] = 0x80;
	assert_int_equal(pbs_cdl_ata_statistics(page.bytes, &cdl, &failure), 0);
	assert_true(cdl.other_ranges);
}

static void a_selector_that_is_reserved_is_told(void **state)
{
	struct page log = descriptors();
	struct pbs_cdl cdl;

	(void)state;
	log.bytes[64 + 12] = 0x05;
	log.bytes[64 + 13] = 0xff;
	pbs_cdl_init(&cdl);
	pbs_cdl_ata_descriptors(log.bytes, &cdl);
	for (unsigned which = 0; which < 2; which++)
		assert_string_equal(
			pbs_cdl_counts_name(cdl.descriptor[PBS_CDL_READ][0].counter[which].counts),
			"reserved");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_byte_of_the_command),
		cmocka_unit_test(the_directory_tells_how_many_pages_a_log_has),
		cmocka_unit_test(a_log_lists_its_pages),
		cmocka_unit_test(what_a_drive_can_do),
		cmocka_unit_test(whether_limits_are_on),
		cmocka_unit_test(another_page_is_refused),
		cmocka_unit_test(limits_and_policies_are_each_descriptors_own),
		cmocka_unit_test(a_policy_that_is_reserved_is_marked),
		cmocka_unit_test(counters_are_found),
		cmocka_unit_test(a_selector_that_is_reserved_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
