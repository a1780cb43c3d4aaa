// SPDX-License-Identifier: Apache-2.0
/* Which commands a drive gets, and what is made of a drive that answers some of them only. */
#include "unit.h"

#include "cdl_ata.h"
#include "cdl_read.h"
#include "cdl_scsi.h"

#include <stdio.h>
#include <string.h>

#define MODE_BYTES 240
#define LOG_PAGE_BYTES 24
#define ANSWERS 16

struct answer {
	uint8_t opcode;
	uint8_t page;	 /* of an ATA log its number, of a mode or log page its subpage */
	uint8_t subpage; /* of an ATA log its page */
	uint32_t length;
	uint8_t bytes[PBS_LOG_BYTES];
};

/* A drive that answers what is in the list and refuses the rest. */
struct fake {
	struct pbs_cdl_device device;
	unsigned count;
	struct answer answer[ANSWERS];
	bool no_rights; /* for ATA PASS-THROUGH */
	char asked[256];
};

static void name_of(const struct pbs_scsi_query *query, struct answer *name)
{
	bool ata = query->cdb[0] == 0x85;

	*name = (struct answer){
		.opcode = query->cdb[0],
		.page = ata ? query->cdb[8] : query->cdb[3],
		.subpage = ata ? query->cdb[10] : 0,
	};
}

static int answer(void *context, struct pbs_scsi_query *query, struct pbs_failure *failure)
{
	struct fake *fake = context;
	size_t used = strlen(fake->asked);
	struct answer name;

	name_of(query, &name);
	snprintf(fake->asked + used, sizeof(fake->asked) - used, "%s%02x:%02x/%02x", used ? " " : "",
		 name.opcode, name.page, name.subpage);
	if (fake->no_rights && name.opcode == 0x85)
		return pbs_fail(failure, PBS_REASON_RIGHTS, "SG_IO: Operation not permitted");
	for (unsigned i = 0; i < fake->count; i++) {
		const struct answer *known = &fake->answer[i];

		if (known->opcode != name.opcode || known->page != name.page ||
		    known->subpage != name.subpage)
			continue;
		memcpy(query->buffer, known->bytes, known->length);
		query->received = known->length;
		return 0;
	}
	query->unsupported = true;
	return pbs_fail(failure, PBS_REASON_COMMAND, "the drive says: no");
}

static uint8_t *add(struct fake *fake, uint8_t opcode, uint8_t page, uint8_t subpage, uint32_t length)
{
	struct answer *added = &fake->answer[fake->count++];

	assert_true(fake->count <= ANSWERS);
	*added = (struct answer){opcode, page, subpage, length, {0}};
	return added->bytes;
}

static uint8_t *add_log(struct fake *fake, uint8_t log, uint8_t page)
{
	uint8_t *bytes = add(fake, 0x85, log, page, PBS_LOG_BYTES);

	/* The header of a page; the directory begins with 1, too. */
	bytes[0] = 1;
	bytes[2] = page;
	return bytes;
}

/* The answer, to be changed. */
static struct answer *find(struct fake *fake, uint8_t page, uint8_t subpage)
{
	for (unsigned i = 0; i < fake->count; i++)
		if (fake->answer[i].page == page && fake->answer[i].subpage == subpage)
			return &fake->answer[i];
	fail_msg("no answer %02x/%02x", page, subpage);
	return NULL;
}

static void drop(struct fake *fake, uint8_t page, uint8_t subpage)
{
	find(fake, page, subpage)->opcode = 0;
}

static void sata_drive(struct fake *fake)
{
	uint8_t *bytes;

	memset(fake, 0, sizeof(*fake));
	fake->device = (struct pbs_cdl_device){
		.ata = true,
		.gpl = 1,
		.query = answer,
		.context = fake,
	};
	bytes = add_log(fake, PBS_LOG_DIRECTORY, 0);
	bytes[2 * PBS_LOG_DEVICE_STATISTICS] = 10;
	bytes[2 * PBS_LOG_CDL] = 1;
	bytes[2 * PBS_LOG_IDENTIFY_DEVICE_DATA] = 9;
	memcpy(add_log(fake, PBS_LOG_IDENTIFY_DEVICE_DATA, 0) + 8, (uint8_t[]){3, 0, 3, 4}, 4);
	bytes = add_log(fake, PBS_LOG_IDENTIFY_DEVICE_DATA, 3);
	bytes[168] = 3;
	bytes[175] = 0x80;
	bytes = add_log(fake, PBS_LOG_IDENTIFY_DEVICE_DATA, 4);
	bytes[10] = 0x20;
	bytes[15] = 0x80;
	bytes = add_log(fake, PBS_LOG_CDL, 0);
	bytes[64 + 12] = 4;	/* counter A of reads 1: commands */
	bytes[64 + 17] = 0x04;	/* guideline 1024 us */
	memcpy(add_log(fake, PBS_LOG_DEVICE_STATISTICS, 0) + 8, (uint8_t[]){2, 0, 9}, 3);
	bytes = add_log(fake, PBS_LOG_DEVICE_STATISTICS, 9);
	bytes[16] = 42;
	bytes[23] = 0xc0;
}

static void add_mode_pages(struct fake *fake, bool spf)
{
	for (uint8_t subpage = 0x07; subpage <= 0x08; subpage++) {
		uint8_t *bytes = add(fake, 0x5a, subpage, 0, MODE_BYTES);

		memcpy(bytes, (uint8_t[]){0x00, 0xee}, 2);
		memcpy(bytes + 8, (uint8_t[]){spf ? 0x4a : 0x0a, subpage, 0x00, 0xe4}, 4);
		bytes[16] = 0x0a;
		bytes[27] = 10; /* guideline 100 ms */
	}
}

static void scsi_drive(struct fake *fake)
{
	memset(fake, 0, sizeof(*fake));
	fake->device = (struct pbs_cdl_device){.gpl = -1, .query = answer, .context = fake};
	add_mode_pages(fake, true);
	memcpy(add(fake, 0x4d, 0x21, 0, LOG_PAGE_BYTES),
	       (uint8_t[]){0x59, 0x21, 0, 20, 0x00, 0x21, 3, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
			   0, 0, 8},
	       LOG_PAGE_BYTES);
}

static void a_sata_drives_logs_tell_all(void **state)
{
	static struct fake fake;
	struct pbs_failure failure;
	struct pbs_cdl cdl;

	(void)state;
	sata_drive(&fake);
	add_mode_pages(&fake, false);
	assert_int_equal(pbs_cdl_read(&fake.device, &cdl, &failure), 0);
	assert_string_equal(fake.asked, "85:00/00 85:30/00 85:30/03 85:30/04 85:18/00 85:04/00 85:04/09");
	assert_int_equal(cdl.supported, 1);
	assert_int_equal(cdl.enabled, 1);
	assert_int_equal(cdl.source, PBS_CDL_FROM_LOG);
	assert_int_equal(cdl.descriptor[PBS_CDL_READ][0].limit[PBS_CDL_GUIDELINE].ns, 1024000);
	assert_int_equal(cdl.descriptor[PBS_CDL_READ][0].counter[0].value, 42);
	assert_string_equal(cdl.log_refused, "");
	assert_string_equal(cdl.statistics_refused, "");
}

static void what_is_in_force_is_told(void **state)
{
	static struct fake fake;
	struct pbs_duration_limits limits;
	struct pbs_failure failure;
	struct pbs_cdl cdl;

	(void)state;
	sata_drive(&fake);
	assert_int_equal(pbs_cdl_read(&fake.device, &cdl, &failure), 0);
	strcpy(cdl.descriptor[PBS_CDL_READ][6].odd, "odd");
	assert_int_equal(pbs_cdl_in_force(&cdl, &limits, &failure), 0);
	for (unsigned i = 0; i < PBS_DURATION_LIMITS; i++)
		for (unsigned time = 0; time < PBS_DURATION_TIMES; time++) {
			const struct pbs_cdl_limit *limit =
				&cdl.descriptor[PBS_CDL_READ][i].limit[time];

			assert_int_equal(limits.ns[i][time], limit->ns);
			assert_int_equal(limits.policy[i][time], limit->policy);
		}
	assert_int_equal(limits.ns[0][PBS_CDL_GUIDELINE], 1024000);
	assert_string_equal(limits.odd[6], "odd");
	assert_int_equal(limits.ata, 1);
	cdl.source = PBS_CDL_FROM_LIBATA;
	assert_int_equal(pbs_cdl_in_force(&cdl, &limits, &failure), 0);
	assert_int_equal(limits.ata, 1);
	cdl.source = PBS_CDL_FROM_MODE_PAGES;
	assert_int_equal(pbs_cdl_in_force(&cdl, &limits, &failure), 0);
	assert_int_equal(limits.ata, 0);

	memset(cdl.descriptor[PBS_CDL_READ], 0, sizeof(cdl.descriptor[PBS_CDL_READ]));
	assert_int_equal(pbs_cdl_in_force(&cdl, &limits, &failure), -1);
	assert_non_null(strstr(failure.text, "none of the drive's descriptors"));
	cdl.enabled = 0;
	assert_int_equal(pbs_cdl_in_force(&cdl, &limits, &failure), -1);
	assert_non_null(strstr(failure.text, "off"));
	cdl.supported = 0;
	assert_int_equal(pbs_cdl_in_force(&cdl, &limits, &failure), -1);
	assert_non_null(strstr(failure.text, "no command duration limits"));
}

static void a_drive_without_limits_is_not_asked_for_them(void **state)
{
	static struct fake fake;
	struct pbs_failure failure;
	struct pbs_cdl cdl;

	(void)state;
	sata_drive(&fake);
	find(&fake, PBS_LOG_IDENTIFY_DEVICE_DATA, 3)->bytes[168] = 0;
	assert_int_equal(pbs_cdl_read(&fake.device, &cdl, &failure), 0);
	assert_int_equal(cdl.supported, 0);
	assert_string_equal(fake.asked, "85:00/00 85:30/00 85:30/03");
	sata_drive(&fake);
	find(&fake, PBS_LOG_IDENTIFY_DEVICE_DATA, 0)->bytes[8] = 1;
	assert_int_equal(pbs_cdl_read(&fake.device, &cdl, &failure), 0);
	assert_int_equal(cdl.supported, 0);
	sata_drive(&fake);
	find(&fake, PBS_LOG_DIRECTORY, 0)->bytes[2 * PBS_LOG_IDENTIFY_DEVICE_DATA] = 0;
	assert_int_equal(pbs_cdl_read(&fake.device, &cdl, &failure), 0);
	assert_int_equal(cdl.supported, 0);
	assert_string_equal(fake.asked, "85:00/00");
	assert_int_equal(cdl.source, PBS_CDL_FROM_NOWHERE);
}

static void nor_is_a_drive_without_logs(void **state)
{
	static struct fake fake;
	struct pbs_failure failure;
	struct pbs_cdl cdl;

	(void)state;
	sata_drive(&fake);
	fake.device.gpl = 0;
	assert_int_equal(pbs_cdl_read(&fake.device, &cdl, &failure), 0);
	assert_int_equal(cdl.supported, 0);
	assert_string_equal(fake.asked, "5a:07/00");
}

static void statistics_may_be_missing(void **state)
{
	static struct fake fake;
	struct pbs_failure failure;
	struct pbs_cdl cdl;

	(void)state;
	sata_drive(&fake);
	find(&fake, PBS_LOG_DEVICE_STATISTICS, 0)->bytes[8] = 1;
	assert_int_equal(pbs_cdl_read(&fake.device, &cdl, &failure), 0);
	assert_false(cdl.statistics);
	assert_string_equal(cdl.statistics_refused,
			    "the drive has no statistics of command duration limits");
	sata_drive(&fake);
	find(&fake, PBS_LOG_DEVICE_STATISTICS, 9)->bytes[2] = 1;
	assert_int_equal(pbs_cdl_read(&fake.device, &cdl, &failure), 0);
	assert_false(cdl.statistics);
	assert_string_equal(cdl.statistics_refused,
			    "log 04h: asked for page 09h, got page 01h of revision 1");
	scsi_drive(&fake);
	drop(&fake, 0x21, 0);
	assert_int_equal(pbs_cdl_read(&fake.device, &cdl, &failure), 0);
	assert_int_equal(cdl.supported, 1);
	assert_string_equal(cdl.statistics_refused, "the drive says: no");
}

/* Of the kernel's pages the limits count, not the policies; whether they are on at the drive is not known. */
static void without_the_logs_the_kernels_pages_are_taken(void **state)
{
	static struct fake fake;
	struct pbs_failure failure;
	struct pbs_cdl cdl;

	(void)state;
	sata_drive(&fake);
	add_mode_pages(&fake, false);
	fake.no_rights = true;
	assert_int_equal(pbs_cdl_read(&fake.device, &cdl, &failure), 0);
	assert_string_equal(fake.asked, "85:00/00 5a:07/00 5a:08/00");
	assert_int_equal(cdl.supported, 1);
	assert_int_equal(cdl.enabled, -1);
	assert_int_equal(cdl.source, PBS_CDL_FROM_LIBATA);
	assert_string_equal(cdl.log_refused, "log 00h page 00h: SG_IO: Operation not permitted");
	assert_string_equal(cdl.statistics_refused, "they are in the drive's log only");
	/* A drive without READ LOG EXT does not get the command. */
	sata_drive(&fake);
	add_mode_pages(&fake, false);
	fake.device.gpl = 0;
	assert_int_equal(pbs_cdl_read(&fake.device, &cdl, &failure), 0);
	assert_string_equal(fake.asked, "5a:07/00 5a:08/00");
}

static void a_sata_drive_that_cannot_be_asked_is_a_failure(void **state)
{
	static struct fake fake;
	struct pbs_failure failure;
	struct pbs_cdl cdl;

	(void)state;
	sata_drive(&fake);
	fake.no_rights = true;
	assert_int_equal(pbs_cdl_read(&fake.device, &cdl, &failure), -1);
	assert_int_equal(failure.reason, PBS_REASON_RIGHTS);
	assert_string_equal(failure.text, "log 00h page 00h: SG_IO: Operation not permitted");
}

static void what_contradicts_itself_is_a_failure(void **state)
{
	static const struct {
		uint8_t log;
		uint8_t page;
		unsigned at;
		uint8_t value;
		const char *text;
	} cases[] = {
		{PBS_LOG_DIRECTORY, 0, 0, 2, "the answer is no directory"},
		{PBS_LOG_DIRECTORY, 0, 2 * PBS_LOG_CDL, 0, "has no log 18h"},
		{PBS_LOG_IDENTIFY_DEVICE_DATA, 0, 2, 5, "got page 05h"},
		{PBS_LOG_IDENTIFY_DEVICE_DATA, 3, 1, 5, "of revision 1281"},
		{PBS_LOG_IDENTIFY_DEVICE_DATA, 4, 2, 3, "asked for page 04h, got page 03h"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		static struct fake fake;
		struct pbs_failure failure;
		struct pbs_cdl cdl;

		sata_drive(&fake);
		find(&fake, cases[i].log, cases[i].page)->bytes[cases[i].at] = cases[i].value;
		assert_int_equal(pbs_cdl_read(&fake.device, &cdl, &failure), -1);
		if (!strstr(failure.text, cases[i].text))
			fail_msg("\"%s\" does not say \"%s\"", failure.text, cases[i].text);
	}
}

static void a_short_answer_is_a_failure(void **state)
{
	static struct fake fake;
	struct pbs_failure failure;
	struct pbs_cdl cdl;

	(void)state;
	sata_drive(&fake);
	find(&fake, PBS_LOG_CDL, 0)->length = 511;
	assert_int_equal(pbs_cdl_read(&fake.device, &cdl, &failure), -1);
	assert_string_equal(failure.text, "log 18h page 00h: 511 bytes instead of 512");
	scsi_drive(&fake);
	find(&fake, 0x08, 0)->length = 239;
	assert_int_equal(pbs_cdl_read(&fake.device, &cdl, &failure), -1);
	assert_non_null(strstr(failure.text, "the answer has 239 bytes"));
}

static void a_scsi_drives_pages_tell_all(void **state)
{
	static struct fake fake;
	struct pbs_failure failure;
	struct pbs_cdl cdl;

	(void)state;
	scsi_drive(&fake);
	assert_int_equal(pbs_cdl_read(&fake.device, &cdl, &failure), 0);
	assert_string_equal(fake.asked, "5a:07/00 5a:08/00 4d:21/00");
	assert_int_equal(cdl.supported, 1);
	assert_int_equal(cdl.enabled, 1);
	assert_int_equal(cdl.source, PBS_CDL_FROM_MODE_PAGES);
	assert_int_equal(cdl.descriptor[PBS_CDL_WRITE][0].limit[PBS_CDL_GUIDELINE].ns, 100000000);
	assert_int_equal(cdl.descriptor[PBS_CDL_READ][0].counter[3].value, 8);
}

static void a_scsi_drive_without_the_pages_has_no_limits(void **state)
{
	static struct fake fake;
	struct pbs_failure failure;
	struct pbs_cdl cdl;

	(void)state;
	scsi_drive(&fake);
	drop(&fake, 0x07, 0);
	assert_int_equal(pbs_cdl_read(&fake.device, &cdl, &failure), 0);
	assert_int_equal(cdl.supported, 0);
	assert_string_equal(fake.asked, "5a:07/00");
	/* Of two pages one. */
	scsi_drive(&fake);
	drop(&fake, 0x08, 0);
	assert_int_equal(pbs_cdl_read(&fake.device, &cdl, &failure), -1);
	assert_string_equal(failure.text, "the drive says: no");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sata_drives_logs_tell_all),
		cmocka_unit_test(what_is_in_force_is_told),
		cmocka_unit_test(a_drive_without_limits_is_not_asked_for_them),
		cmocka_unit_test(nor_is_a_drive_without_logs),
		cmocka_unit_test(statistics_may_be_missing),
		cmocka_unit_test(without_the_logs_the_kernels_pages_are_taken),
		cmocka_unit_test(a_sata_drive_that_cannot_be_asked_is_a_failure),
		cmocka_unit_test(what_contradicts_itself_is_a_failure),
		cmocka_unit_test(a_short_answer_is_a_failure),
		cmocka_unit_test(a_scsi_drives_pages_tell_all),
		cmocka_unit_test(a_scsi_drive_without_the_pages_has_no_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
