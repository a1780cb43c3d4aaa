// SPDX-License-Identifier: Apache-2.0
#include "unit.h"

#include "ata.h"

#include <string.h>

static struct pbs_ata_read read_of(enum pbs_level level)
{
	return (struct pbs_ata_read){
		.lba = 0xf1e2d3c4b5a6,
		.blocks = 1026,
		.block_bytes = 512,
		.level = level,
	};
}

/* COUNT bits 15:14 are bits 7:6 of byte 5. */
static void the_level_is_in_prio(void **state)
{
	static const struct {
		enum pbs_level level;
		uint8_t byte;
	} cases[] = {
		{PBS_LEVEL_NORMAL, 0x00},
		{PBS_LEVEL_HIGH, 0x80},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct pbs_ata_read read = read_of(cases[i].level);
		uint8_t cdb[PBS_CDB_BYTES];

		pbs_ata_read_cdb(&read, cdb);
		assert_int_equal(cdb[5], cases[i].byte);
	}
}

static void every_byte_of_the_command(void **state)
{
	static const uint8_t wanted[PBS_CDB_BYTES] = {
		0x85,				    /* ATA PASS-THROUGH(16) */
		0x19,				    /* PROTOCOL 12 (FPDMA), EXTEND */
		0x0d,				    /* T_DIR in, BYT_BLOK, T_LENGTH: FEATURES */
		0x04, 0x02,			    /* FEATURES: 1026 blocks */
		0x80, 0x00,			    /* COUNT: PRIO high, the tag is the kernel's */
		0xd3, 0xa6, 0xe2, 0xb5, 0xf1, 0xc4, /* 31:24, 7:0, 39:32, 15:8, 47:40, 23:16 */
		0x40, 0x60, 0x00,		    /* DEVICE, READ FPDMA QUEUED, CONTROL */
	};
	struct pbs_ata_read read = read_of(PBS_LEVEL_HIGH);
	uint8_t cdb[PBS_CDB_BYTES];

	(void)state;
	pbs_ata_read_cdb(&read, cdb);
	assert_memory_equal(cdb, wanted, sizeof(wanted));
}

static void large_blocks_are_counted_as_such(void **state)
{
	struct pbs_ata_read read = read_of(PBS_LEVEL_NORMAL);
	uint8_t cdb[PBS_CDB_BYTES];

	(void)state;
	read.block_bytes = 4096;
	pbs_ata_read_cdb(&read, cdb);
	assert_int_equal(cdb[2], 0x1d);
}

static void the_most_blocks_are_written_as_zero(void **state)
{
	struct pbs_ata_read read = read_of(PBS_LEVEL_NORMAL);
	uint8_t cdb[PBS_CDB_BYTES];

	(void)state;
	read.blocks = PBS_MAX_ATA_BLOCKS;
	pbs_ata_read_cdb(&read, cdb);
	assert_int_equal(cdb[3], 0);
	assert_int_equal(cdb[4], 0);
}

static void what_a_drive_can_do(void **state)
{
	static const struct {
		uint16_t word_75;
		uint16_t word_76;
		struct pbs_identify wanted;
	} cases[] = {
		{31, 1 << 8, {true, false, 32, false}},
		{31, 1 << 8 | 1 << 12 | 0xe, {true, true, 32, false}},
		{0, 1 << 8, {true, false, 1, false}},
		{31, 0xe, {false, false, 1, false}},
		{31, 0xffff, {false, false, 1, false}},
		{0, 0, {false, false, 1, false}},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		uint8_t data[PBS_IDENTIFY_BYTES] = {0};
		struct pbs_identify identify;

		data[150] = (uint8_t)cases[i].word_75;
		data[151] = (uint8_t)(cases[i].word_75 >> 8);
		data[152] = (uint8_t)cases[i].word_76;
		data[153] = (uint8_t)(cases[i].word_76 >> 8);
		pbs_identify_parse(data, &identify);
		assert_int_equal(identify.ncq, cases[i].wanted.ncq);
		assert_int_equal(identify.ncq_prio, cases[i].wanted.ncq_prio);
		assert_int_equal(identify.queue_depth, cases[i].wanted.queue_depth);
	}
}

static void whether_a_drive_has_logs(void **state)
{
	static const struct {
		uint16_t word_84;
		bool gpl;
	} cases[] = {
		{0x4000, false}, {0x4020, true}, {0x0020, false}, {0xc020, false}, {0xffff, false}, {0, false},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		uint8_t data[PBS_IDENTIFY_BYTES] = {0};
		struct pbs_identify identify;

		data[168] = (uint8_t)cases[i].word_84;
		data[169] = (uint8_t)(cases[i].word_84 >> 8);
		pbs_identify_parse(data, &identify);
		assert_int_equal(identify.gpl, cases[i].gpl);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_level_is_in_prio),
		cmocka_unit_test(every_byte_of_the_command),
		cmocka_unit_test(large_blocks_are_counted_as_such),
		cmocka_unit_test(the_most_blocks_are_written_as_zero),
		cmocka_unit_test(what_a_drive_can_do),
		cmocka_unit_test(whether_a_drive_has_logs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
