// SPDX-License-Identifier: Apache-2.0
#include "unit.h"

#include "sense.h"

#include <string.h>

struct example {
	const char *text;
	size_t length;
	uint8_t bytes[32];
};

static const struct example examples[] = {
	/*
	 * Captured: an LBA out of range, and the command behind it, as Linux 6.1 and QEMU 7.2 answered. The
	 * ATA registers stand where SAT has none, without the bit VALID.
	 */
	{"aborted command (b/00/00)", 18,
	 {0x70, 0, 0x0b, 0, 0, 0, 0, 0x0a, 0, 0x50, 0xa0, 0, 0, 0, 0, 0, 0x80, 0}},
	{"aborted command (b/00/00)", 18,
	 {0x70, 0, 0x0b, 0, 0, 0, 0, 0x0a, 0x04, 0x41, 0xa0, 0x01, 0, 0, 0, 0, 0x80, 0x10}},
	/* Descriptor format, as libata answers a read error: ATA Status Return descriptor. */
	{"medium error: unrecovered read error (3/11/04) at LBA 1108152157446, ATA status 41 error 40",
	 22,
	 {0x72, 0x03, 0x11, 0x04, 0, 0, 0, 14, 0x09, 12, 0x01, 0x40, 0, 8, 3, 6, 2, 5, 1, 4, 0x40,
	  0x41}},
	/* The same as fixed format: ERROR and STATUS in the field INFORMATION. */
	{"medium error: unrecovered read error (3/11/04), ATA status 41 error 40", 18,
	 {0xf0, 0, 0x03, 0x40, 0x41, 0x40, 0x08, 10, 0, 0, 0, 0, 0x11, 0x04}},
	/* Descriptor format with an Information descriptor. */
	{"medium error: unrecovered read error (3/11/00) at LBA 72623859790382856", 20,
	 {0x72, 0x03, 0x11, 0x00, 0, 0, 0, 12, 0x00, 10, 0x80, 0, 1, 2, 3, 4, 5, 6, 7, 8}},
	{"illegal request: LBA out of range (5/21/00)", 8, {0x72, 0x05, 0x21, 0x00}},
	{"illegal request: unknown command (5/20/00)", 18,
	 {0x70, 0, 0x05, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x20, 0x00}},
	{"aborted command (b/00/00)", 18, {0x70, 0, 0x0b, 0, 0, 0, 0, 10}},
	{"unit attention: power on or reset (6/29/00)", 14,
	 {0x71, 0, 0x06, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0x29}},
	{"not ready (2/04/99)", 4, {0x73, 0x02, 0x04, 0x99}},
};

static void is_told_in_words(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(examples); i++) {
		struct pbs_sense sense;
		char text[256];

		assert_true(pbs_sense_parse(examples[i].bytes, examples[i].length, &sense));
		assert_string_equal(pbs_sense_format(&sense, text, sizeof(text)), examples[i].text);
	}
}

/* The sanitizer sees it when bytes behind the end are read. */
static void may_be_cut_anywhere(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(examples); i++) {
		for (size_t length = 0; length < examples[i].length; length++) {
			uint8_t *bytes = test_malloc(length + 1);
			struct pbs_sense sense;

			memcpy(bytes + 1, examples[i].bytes, length);
			assert_int_equal(pbs_sense_parse(bytes + 1, length, &sense), length > 0);
			if (length > 3 && (examples[i].bytes[0] & 0x7f) >= 0x72)
				assert_int_equal(sense.asc, examples[i].bytes[2]);
			test_free(bytes);
		}
	}
}

static void a_descriptor_may_lie_about_its_length(void **state)
{
	static const uint8_t bytes[] = {0x72, 0x03, 0x11, 0x04, 0, 0, 0, 0xff, 0x09, 0xff, 0x01, 0x40};
	struct pbs_sense sense;

	(void)state;
	assert_true(pbs_sense_parse(bytes, sizeof(bytes), &sense));
	assert_false(sense.has_ata);
	assert_false(sense.has_lba);
}

static void other_bytes_are_no_sense_data(void **state)
{
	static const uint8_t codes[] = {0x00, 0x6f, 0x74, 0x7f, 0xff};
	struct pbs_sense sense;

	(void)state;
	for (size_t i = 0; i < sizeof(codes); i++)
		assert_false(pbs_sense_parse(&codes[i], 1, &sense));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_told_in_words),
		cmocka_unit_test(may_be_cut_anywhere),
		cmocka_unit_test(a_descriptor_may_lie_about_its_length),
		cmocka_unit_test(other_bytes_are_no_sense_data),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
