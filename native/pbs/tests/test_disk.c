// SPDX-License-Identifier: Apache-2.0
/* Which nodes of a disk are used: whether it takes the command is tried once, as it is sent later. */
#include "unit.h"

#include "disk.h"
#include "survey.h"

#include <errno.h>
#include <fcntl.h>
#include <scsi/sg.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* How a command ends: well; or SG_IO's errno, its host status, or CHECK CONDITION with this sense data. */
struct end {
	int error;
	unsigned short host_status;
	unsigned char sense[14]; /* fixed format: the key in byte 2, the additional codes in 12 and 13 */
};

static const struct end well;
static const struct end aborted = {.sense = {0x70, 0, 0xb}};
static const struct end unknown_to_the_adapter = {.sense = {0x70, 0, 0x5, [12] = 0x20}};
static const struct end invalid_field = {.sense = {0x70, 0, 0x5, [12] = 0x24}};
static const struct end no_rights = {.error = EPERM};

static struct {
	bool has_sg;
	struct end normal; /* what a command of this level ends with */
	struct end high;
	unsigned commands;
	unsigned open;
	int64_t now_s;
	int minor;	   /* another disk for each test */
	unsigned sequence; /* of the disk that is there now */
} disk;

bool __wrap_pbs_survey_sg(const char *sysfs, dev_t number, char name[PBS_NAME], dev_t *sg);
void __wrap_pbs_survey_identity(const char *sysfs, dev_t number, char *identity);
int __wrap_pbs_node_open(const char *name, int flags, mode_t type, dev_t number);
int __wrap_ioctl(int fd, unsigned long request, ...);

bool __wrap_pbs_survey_sg(const char *sysfs, dev_t number, char name[PBS_NAME], dev_t *sg)
{
	(void)sysfs;
	(void)number;
	strcpy(name, "sg7");
	*sg = 0;
	return disk.has_sg;
}

void __wrap_pbs_survey_identity(const char *sysfs, dev_t number, char *identity)
{
	(void)sysfs;
	sprintf(identity, "%llu %u", (unsigned long long)number, disk.sequence);
}

int __wrap_pbs_node_open(const char *name, int flags, mode_t type, dev_t number)
{
	(void)name;
	(void)flags;
	(void)type;
	(void)number;
	disk.open++;
	return open("/dev/null", O_RDWR | O_CLOEXEC);
}

/* SG_IO. */
int __wrap_ioctl(int fd, unsigned long request, ...)
{
	const struct end *end;
	struct sg_io_hdr *command;
	va_list arguments;

	(void)fd;
	va_start(arguments, request);
	command = va_arg(arguments, struct sg_io_hdr *);
	va_end(arguments);
	assert_int_equal(request, SG_IO);
	disk.commands++;
	/* PRIO. */
	end = command->cmdp[5] >> 6 == 2 ? &disk.high : &disk.normal;
	errno = end->error;
	if (end->error)
		return -1;
	command->host_status = end->host_status;
	if (end->sense[0]) {
		command->status = 2;
		command->sb_len_wr = sizeof(end->sense);
		memcpy(command->sbp, end->sense, sizeof(end->sense));
	}
	return 0;
}

int64_t __wrap_pbs_now(void);

int64_t __wrap_pbs_now(void)
{
	return disk.now_s * INT64_C(1000000000);
}

static int open_nodes(struct pbs_failure *failure)
{
	const struct pbs_volume_info info = {
		.disk = "sdx", .disk_major = 8, .disk_minor = disk.minor, .logical_block_bytes = 512};
	struct pbs_nodes nodes;
	int result = pbs_nodes_open(&info, &nodes, failure);

	if (result == 0)
		pbs_nodes_close(&nodes);
	return result;
}

static int reset(void **state)
{
	const int minor = disk.minor + 1;

	(void)state;
	memset(&disk, 0, sizeof(disk));
	disk.minor = minor;
	disk.has_sg = true;
	return 0;
}

/* Each command that a drive aborts makes the kernel end all others that are in its queue. */
static void a_drive_that_aborts_high_is_refused_by_one_command(void **state)
{
	struct pbs_failure failure;

	(void)state;
	disk.high = aborted;
	assert_int_equal(open_nodes(&failure), -1);
	assert_int_equal(failure.reason, PBS_REASON_COMMAND);
	assert_non_null(strstr(failure.text, "aborted command"));
	assert_int_equal(disk.commands, 1);
}

static void a_drive_that_takes_high_is_asked_for_nothing_else(void **state)
{
	struct pbs_failure failure;

	(void)state;
	disk.normal = aborted;
	assert_int_equal(open_nodes(&failure), 0);
	assert_int_equal(disk.commands, 1);
	assert_int_equal(disk.open, PBS_MAX_NODES);
}

static void without_rights_on_its_sg_node_the_block_node_is_tried(void **state)
{
	struct pbs_failure failure;

	(void)state;
	disk.high = no_rights;
	assert_int_equal(open_nodes(&failure), -1);
	assert_int_equal(failure.reason, PBS_REASON_RIGHTS);
	assert_int_equal(disk.commands, 2);
}

/* As by a helper that looks again every 30 s. */
static void a_drive_that_refused_is_asked_again_every_ten_minutes(void **state)
{
	static const struct end *const refusals[] = {&aborted, &unknown_to_the_adapter, &invalid_field};

	(void)state;
	for (size_t i = 0; i < COUNT(refusals); i++) {
		struct pbs_failure failure;

		disk.minor++;
		disk.commands = 0;
		disk.high = *refusals[i];
		for (disk.now_s = 0; disk.now_s < 24 * 3600; disk.now_s += 30) {
			assert_int_equal(open_nodes(&failure), -1);
			assert_int_equal(failure.reason, PBS_REASON_COMMAND);
			assert_non_null(strstr(failure.text, "does not accept"));
		}
		assert_int_equal(disk.commands, 24 * 6);
		/* The drive's new firmware. */
		disk.high = well;
		disk.now_s += 600;
		assert_int_equal(open_nodes(&failure), 0);
	}
}

/* The kernel gives a number to the next disk when one is gone. */
static void another_disk_under_the_same_number_is_asked(void **state)
{
	struct pbs_failure failure;

	(void)state;
	disk.high = aborted;
	assert_int_equal(open_nodes(&failure), -1);
	disk.sequence++;
	disk.high = well;
	assert_int_equal(open_nodes(&failure), 0);
	assert_int_equal(disk.commands, 2);
	/* What is known of the first one is still known. */
	disk.sequence--;
	assert_int_equal(open_nodes(&failure), -1);
	assert_int_equal(disk.commands, 2);
}

/* It says nothing about whether the drive knows the command. */
static void what_may_pass_is_not_remembered(void **state)
{
	static const struct end passing[] = {
		{.sense = {0x70, 0, 0x6, [12] = 0x29}},	       /* unit attention: power on or reset */
		{.sense = {0x70, 0, 0x2, [12] = 0x04}},	       /* not ready */
		{.sense = {0x70, 0, 0x3, [12] = 0x11}},	       /* medium error */
		{.sense = {0x70, 0, 0x4, [12] = 0x44}},	       /* hardware error */
		{.sense = {0x70, 0, 0x5, [12] = 0x25}},	       /* logical unit not supported: it goes or comes */
		{.sense = {0x70, 0, 0xb, [12] = 0x47}},	       /* aborted command: transfer error on the link */
		{.sense = {0x70, 0, 0xb, [12] = 0x08, [13] = 1}}, /* time-out on the way to the drive */
		{.sense = {0x70, 0, 0xb, [12] = 0x2f}},	       /* commands cleared by another initiator */
		{.host_status = 0x7},			       /* the adapter failed */
		{.host_status = 0x3},			       /* no answer for 30 s */
		{.error = EIO},
		{.error = EBUSY},
		{.error = ENODEV},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(passing); i++) {
		struct pbs_failure failure;

		disk.high = passing[i];
		assert_int_equal(open_nodes(&failure), -1);
		disk.high = well;
		if (open_nodes(&failure))
			fail_msg("%zu is remembered: %s", i, failure.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_drive_that_aborts_high_is_refused_by_one_command, reset),
		cmocka_unit_test_setup(a_drive_that_takes_high_is_asked_for_nothing_else, reset),
		cmocka_unit_test_setup(without_rights_on_its_sg_node_the_block_node_is_tried, reset),
		cmocka_unit_test_setup(a_drive_that_refused_is_asked_again_every_ten_minutes, reset),
		cmocka_unit_test_setup(another_disk_under_the_same_number_is_asked, reset),
		cmocka_unit_test_setup(what_may_pass_is_not_remembered, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
