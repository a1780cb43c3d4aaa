// SPDX-License-Identifier: Apache-2.0
/* Mode pages and a log page, written by hand as SPC-6 has them. */
#include "unit.h"

#include "cdl_scsi.h"

#include <stdlib.h>
#include <string.h>

#define MODE_BYTES 240 /* header of 8 bytes, page of 232 */
#define LOG_BYTES (4 + 3 * 20 + 8)

struct mode {
	uint8_t bytes[MODE_BYTES];
};

/* Page T2A: descriptor 1 has all limits, 2 and 3 one each, the others have none. */
static struct mode t2a(void)
{
	static const uint8_t head[] = {
		0x00, 0xee, 0x00, 0x10, 0, 0, 0x00, 0x00, /* 238 bytes follow, no block descriptors */
		0xca, 0x07, 0x00, 0xe4, 0, 0, 0, 0x50,	  /* PS, SPF, 0Ah, 07h, 228 bytes */
	};
	static const uint8_t first[32] = {
		0x0a, 0x00,	    /* units of 10 ms */
		0x00, 0x05,	    /* inactive 50 ms */
		0x00, 0x32,	    /* active 500 ms */
		0xfd, 0x00, 0, 0,   /* policies: inactive Fh, active Dh */
		0x00, 0x64, 0, 0,   /* guideline 1000 ms */
		0x01,		    /* its policy */
	};
	static const uint8_t second[32] = {0x06, 0, 0, 0x03}; /* units of 500 ns */
	static const uint8_t third[32] = {0x0e, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0x02};
	struct mode mode = {{0}};

	memcpy(mode.bytes, head, sizeof(head));
	memcpy(mode.bytes + 16, first, sizeof(first));
	memcpy(mode.bytes + 48, second, sizeof(second));
	memcpy(mode.bytes + 80, third, sizeof(third));
	return mode;
}

static int parse(const struct mode *mode, size_t length, bool ata, struct pbs_cdl *cdl,
		 struct pbs_failure *failure)
{
	pbs_cdl_init(cdl);
	return pbs_cdl_mode_page(mode->bytes, length, PBS_CDL_READ, ata, cdl, failure);
}

static void assert_format(const struct pbs_cdl_descriptor *descriptor, const char *wanted)
{
	char text[PBS_TEXT];

	assert_string_equal(pbs_cdl_format(descriptor, text, sizeof(text)), wanted);
}

static void every_byte_of_mode_sense(void **state)
{
	/* DBD; page 0Ah, current values; subpage; 512 bytes. */
	static const uint8_t wanted[10] = {0x5a, 0x08, 0x0a, 0x08, 0, 0, 0, 0x02, 0x00, 0};
	uint8_t buffer[PBS_MODE_BYTES];
	struct pbs_scsi_query query = pbs_cdl_mode_sense(PBS_CDL_WRITE, buffer);

	(void)state;
	assert_int_equal(query.cdb_bytes, sizeof(wanted));
	assert_memory_equal(query.cdb, wanted, sizeof(wanted));
	assert_int_equal(query.bytes, 512);
	assert_int_equal(pbs_cdl_mode_sense(PBS_CDL_READ, buffer).cdb[3], 0x07);
}

static void every_byte_of_log_sense(void **state)
{
	/* Page 19h, cumulative values; subpage 21h; 1024 bytes. */
	static const uint8_t wanted[10] = {0x4d, 0x00, 0x59, 0x21, 0, 0, 0, 0x04, 0x00, 0};
	uint8_t buffer[PBS_LOG_SENSE_BYTES];
	struct pbs_scsi_query query = pbs_cdl_log_sense(buffer);

	(void)state;
	assert_int_equal(query.cdb_bytes, sizeof(wanted));
	assert_memory_equal(query.cdb, wanted, sizeof(wanted));
	assert_int_equal(query.bytes, 1024);
}

static void limits_have_units_and_policies(void **state)
{
	struct mode mode = t2a();
	struct pbs_failure failure;
	struct pbs_cdl cdl;

	(void)state;
	assert_int_equal(parse(&mode, MODE_BYTES, false, &cdl, &failure), 0);
	assert_int_equal(cdl.source, PBS_CDL_FROM_MODE_PAGES);
	assert_format(&cdl.descriptor[PBS_CDL_READ][0],
		      "inactive 50 ms abort, active 500 ms complete-unavailable, "
		      "guideline 1000 ms continue-next-limit");
	assert_format(&cdl.descriptor[PBS_CDL_READ][1], "inactive 1500 ns complete-earliest");
	assert_format(&cdl.descriptor[PBS_CDL_READ][2], "guideline 32767500 ms continue-no-limit");
	assert_format(&cdl.descriptor[PBS_CDL_READ][3], "no limit");
	assert_format(&cdl.descriptor[PBS_CDL_WRITE][0], "no limit");
}

/* A driver may report that it has filled the whole buffer. */
static void bytes_behind_the_answers_end_mean_nothing(void **state)
{
	uint8_t bytes[PBS_MODE_BYTES];
	struct mode mode = t2a();
	struct pbs_failure failure;
	struct pbs_cdl cdl;

	(void)state;
	memset(bytes, 0xff, sizeof(bytes));
	memcpy(bytes, mode.bytes, MODE_BYTES);
	pbs_cdl_init(&cdl);
	assert_int_equal(pbs_cdl_mode_page(bytes, sizeof(bytes), PBS_CDL_READ, false, &cdl, &failure),
			 0);
	assert_format(&cdl.descriptor[PBS_CDL_READ][6], "no limit");
}

static void block_descriptors_are_skipped(void **state)
{
	uint8_t bytes[8 + 8 + 232] = {0};
	struct mode mode = t2a();
	struct pbs_failure failure;
	struct pbs_cdl cdl;

	(void)state;
	memcpy(bytes, mode.bytes, 8);
	bytes[1] = 0xf6;
	bytes[7] = 8;
	memcpy(bytes + 16, mode.bytes + 8, 232);
	pbs_cdl_init(&cdl);
	assert_int_equal(pbs_cdl_mode_page(bytes, sizeof(bytes), PBS_CDL_READ, false, &cdl, &failure),
			 0);
	assert_format(&cdl.descriptor[PBS_CDL_READ][1], "inactive 1500 ns complete-earliest");
}

/* What libata answers: no SPF, units of 10 ms, the same policies everywhere. */
static void libatas_policies_are_not_believed(void **state)
{
	struct mode mode = t2a();
	struct pbs_failure failure;
	struct pbs_cdl cdl;

	(void)state;
	mode.bytes[8] = 0x0a;
	assert_int_equal(parse(&mode, MODE_BYTES, true, &cdl, &failure), 0);
	assert_int_equal(cdl.source, PBS_CDL_FROM_LIBATA);
	assert_format(&cdl.descriptor[PBS_CDL_READ][0],
		      "inactive 50 ms unknown, active 500 ms unknown, guideline 1000 ms unknown");
	assert_int_equal(parse(&mode, MODE_BYTES, false, &cdl, &failure), -1);
	assert_string_equal(failure.text, "MODE SENSE: the answer is no subpage");
	/* A host bus adapter's translation. */
	mode.bytes[8] = 0x4a;
	assert_int_equal(parse(&mode, MODE_BYTES, true, &cdl, &failure), 0);
	assert_int_equal(cdl.source, PBS_CDL_FROM_MODE_PAGES);
}

static void what_is_reserved_is_marked(void **state)
{
	static const struct {
		unsigned at;
		uint8_t value;
		const char *odd;
	} cases[] = {
		{0, 0x00, "it has times, but no unit"},
		{0, 0x0b, "it has the reserved time unit bh"},
		{0, 0xfa, ""}, /* the upper bits are none of the unit's */
		{6, 0x1d, "inactive has the reserved policy 1h"},
		{6, 0xfe, ""},
		{6, 0xf7, "active has the reserved policy 7h"},
		{14, 0x0e, "guideline has the reserved policy eh"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct mode mode = t2a();
		struct pbs_failure failure;
		struct pbs_cdl cdl;

		mode.bytes[16 + cases[i].at] = cases[i].value;
		/* An empty descriptor may have any unit and policy. */
		mode.bytes[112] = 0x0b;
		mode.bytes[112 + 6] = 0x77;
		assert_int_equal(parse(&mode, MODE_BYTES, false, &cdl, &failure), 0);
		assert_string_equal(cdl.descriptor[PBS_CDL_READ][0].odd, cases[i].odd);
		assert_int_equal(pbs_cdl_is_set(&cdl.descriptor[PBS_CDL_READ][0]),
				 cases[i].at != 0 || cases[i].odd[0] == '\0');
		assert_string_equal(cdl.descriptor[PBS_CDL_READ][3].odd, "");
	}
}

static void a_wrong_mode_page_is_refused(void **state)
{
	static const struct {
		unsigned at;
		uint8_t value;
		const char *text;
	} cases[] = {
		{8, 0x48, "asked for page 0ah/07h, got 08h/07h"},
		{9, 0x08, "asked for page 0ah/07h, got 0ah/08h"},
		{9, 0x00, "asked for page 0ah/07h, got 0ah/00h"},
		{11, 0xe3, "has a length of 227 bytes, not of 228"},
		{10, 0x01, "has a length of 484 bytes"},
		{1, 0xed, "says that it has 239"},
		{1, 0xef, "says that it has 241"},
		{0, 0xff, "says that it has 65520"},
		{7, 0x01, "the page begins at 9"},
		{6, 0xff, "the page begins at 65288"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct mode mode = t2a();
		struct pbs_failure failure = {0};
		struct pbs_cdl cdl;

		mode.bytes[cases[i].at] = cases[i].value;
		assert_int_equal(parse(&mode, MODE_BYTES, false, &cdl, &failure), -1);
		assert_int_equal(failure.reason, PBS_REASON_COMMAND);
		assert_int_equal(cdl.source, PBS_CDL_FROM_NOWHERE);
		if (!strstr(failure.text, cases[i].text))
			fail_msg("\"%s\" does not say \"%s\"", failure.text, cases[i].text);
	}
}

/* Page 19h/21h with descriptor 1 of reads, 7 of writes, and parameters that are not counters. */
static const uint8_t log_page[LOG_BYTES] = {
	0x59, 0x21, 0x00, 0x44,				    /* SPF, 19h, 21h, 68 bytes */
	0x00, 0x01, 0x03, 0x04, 0, 0, 0, 99,		    /* achievable latency target */
	0x00, 0x21, 0x03, 0x10, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 1, 0, 4,
	0x00, 0x11, 0x03, 0x10, 0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0, 9,
	0x00, 0x47, 0x03, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff,
};

static void counters_are_found(void **state)
{
	static const char *const names[] = {"inactive exceeded", "active exceeded",
					    "inactive and active exceeded", "commands"};
	static const uint32_t values[] = {1, 2, 3, 65540};
	struct pbs_failure failure;
	struct pbs_cdl cdl;

	(void)state;
	pbs_cdl_init(&cdl);
	assert_int_equal(pbs_cdl_log_page(log_page, sizeof(log_page), &cdl, &failure), 0);
	assert_true(cdl.statistics);
	for (unsigned i = 0; i < PBS_CDL_COUNTERS; i++) {
		const struct pbs_cdl_counter *counter = &cdl.descriptor[PBS_CDL_READ][0].counter[i];

		assert_string_equal(pbs_cdl_counts_name(counter->counts), names[i]);
		assert_true(counter->valid);
		assert_int_equal(counter->value, values[i]);
	}
	assert_int_equal(cdl.descriptor[PBS_CDL_WRITE][6].counter[3].value, UINT32_MAX);
	assert_false(cdl.descriptor[PBS_CDL_READ][1].counter[0].valid);
	assert_false(cdl.descriptor[PBS_CDL_WRITE][0].counter[0].valid);
}

static void a_wrong_log_page_is_refused(void **state)
{
	static const struct {
		unsigned at;
		uint8_t value;
		const char *text;
	} cases[] = {
		{0, 0x19, "got 19h/21h"},			/* without SPF */
		{0, 0x58, "got 18h/21h"},
		{1, 0x20, "got 19h/20h"},
		{3, 0x45, "says that it has 73"},
		{3, 0x42, "ends within a parameter"},
		{3, 0x01, "ends within a parameter"},
		{15, 0x0c, "parameter 0021h has 16 bytes, not 20"},
		{15, 0xff, "ends within a parameter"},
		{53, 0x21, "parameter 0021h is there twice"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct pbs_failure failure = {0};
		uint8_t bytes[LOG_BYTES];
		struct pbs_cdl cdl;

		pbs_cdl_init(&cdl);
		memcpy(bytes, log_page, sizeof(bytes));
		bytes[cases[i].at] = cases[i].value;
		assert_int_equal(pbs_cdl_log_page(bytes, sizeof(bytes), &cdl, &failure), -1);
		assert_false(cdl.statistics);
		if (!strstr(failure.text, cases[i].text))
			fail_msg("%u: \"%s\" does not say \"%s\"", (unsigned)i, failure.text,
				 cases[i].text);
	}
}

/* The sanitizer sees it when bytes behind the end are read. */
static void answers_may_be_cut_anywhere(void **state)
{
	struct mode mode = t2a();

	(void)state;
	for (size_t length = 0; length < MODE_BYTES; length++) {
		uint8_t *bytes = malloc(length + 1);
		struct pbs_failure failure;
		struct pbs_cdl cdl;

		pbs_cdl_init(&cdl);
		memcpy(bytes + 1, mode.bytes, length);
		assert_int_equal(pbs_cdl_mode_page(bytes + 1, length, PBS_CDL_READ, false, &cdl,
						   &failure),
				 -1);
		if (length < LOG_BYTES) {
			memcpy(bytes + 1, log_page, length);
			assert_int_equal(pbs_cdl_log_page(bytes + 1, length, &cdl, &failure), -1);
		}
		free(bytes);
	}
}

/* The page's length agrees with the answer's, but a parameter ends too late. */
static void parameters_may_be_cut_anywhere(void **state)
{
	(void)state;
	for (size_t length = 5; length < LOG_BYTES; length++) {
		uint8_t *bytes = malloc(length);
		struct pbs_failure failure;
		struct pbs_cdl cdl;
		bool whole = length == 12 || length == 32 || length == 52;

		pbs_cdl_init(&cdl);
		memcpy(bytes, log_page, length);
		bytes[3] = (uint8_t)(length - 4);
		assert_int_equal(pbs_cdl_log_page(bytes, length, &cdl, &failure), whole ? 0 : -1);
		free(bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_byte_of_mode_sense),
		cmocka_unit_test(every_byte_of_log_sense),
		cmocka_unit_test(limits_have_units_and_policies),
		cmocka_unit_test(bytes_behind_the_answers_end_mean_nothing),
		cmocka_unit_test(block_descriptors_are_skipped),
		cmocka_unit_test(libatas_policies_are_not_believed),
		cmocka_unit_test(what_is_reserved_is_marked),
		cmocka_unit_test(a_wrong_mode_page_is_refused),
		cmocka_unit_test(counters_are_found),
		cmocka_unit_test(a_wrong_log_page_is_refused),
		cmocka_unit_test(answers_may_be_cut_anywhere),
		cmocka_unit_test(parameters_may_be_cut_anywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
