// SPDX-License-Identifier: Apache-2.0
/* Which nodes of a disk are used: whether it takes the command is tried once, as it is sent later. */
#include "unit.h"

#include "disk.h"
#include "sgio.h"
#include "survey.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

static struct {
	bool has_sg;
	enum pbs_reason normal; /* what a command of this level ends with; PBS_REASON_NONE: well */
	enum pbs_reason high;
	unsigned commands;
	unsigned open;
	int64_t now_s;
	int minor; /* another disk for each test */
} disk;

bool __wrap_pbs_survey_sg(const char *sysfs, dev_t number, char name[PBS_NAME], dev_t *sg);
int __wrap_pbs_node_open(const char *name, int flags, mode_t type, dev_t number);
int __wrap_pbs_sgio_read(int fd, const struct pbs_ata_read *read, void *buffer, uint32_t timeout_ms,
			 struct pbs_failure *failure);

bool __wrap_pbs_survey_sg(const char *sysfs, dev_t number, char name[PBS_NAME], dev_t *sg)
{
	(void)sysfs;
	(void)number;
	strcpy(name, "sg7");
	*sg = 0;
	return disk.has_sg;
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

int __wrap_pbs_sgio_read(int fd, const struct pbs_ata_read *read, void *buffer, uint32_t timeout_ms,
			 struct pbs_failure *failure)
{
	enum pbs_reason reason = read->level == PBS_LEVEL_HIGH ? disk.high : disk.normal;

	(void)fd;
	(void)buffer;
	(void)timeout_ms;
	disk.commands++;
	return reason == PBS_REASON_NONE ? 0 : pbs_fail(failure, reason, "so it ended");
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
	disk.high = PBS_REASON_COMMAND;
	assert_int_equal(open_nodes(&failure), -1);
	assert_int_equal(failure.reason, PBS_REASON_COMMAND);
	assert_non_null(strstr(failure.text, "so it ended"));
	assert_int_equal(disk.commands, 1);
}

static void a_drive_that_takes_high_is_asked_for_nothing_else(void **state)
{
	struct pbs_failure failure;

	(void)state;
	disk.normal = PBS_REASON_COMMAND;
	assert_int_equal(open_nodes(&failure), 0);
	assert_int_equal(disk.commands, 1);
	assert_int_equal(disk.open, PBS_MAX_NODES);
}

static void without_rights_on_its_sg_node_the_block_node_is_tried(void **state)
{
	struct pbs_failure failure;

	(void)state;
	disk.high = PBS_REASON_RIGHTS;
	assert_int_equal(open_nodes(&failure), -1);
	assert_int_equal(failure.reason, PBS_REASON_RIGHTS);
	assert_int_equal(disk.commands, 2);
}

/* As by a helper that looks again every 30 s. */
static void it_is_asked_again_ever_more_rarely(void **state)
{
	struct pbs_failure failure;

	(void)state;
	disk.high = PBS_REASON_COMMAND;
	for (disk.now_s = 0; disk.now_s < 24 * 3600; disk.now_s += 30) {
		assert_int_equal(open_nodes(&failure), -1);
		assert_int_equal(failure.reason, PBS_REASON_COMMAND);
		assert_non_null(strstr(failure.text, "so it ended"));
	}
	/* Ten in the first hour and a half, then one an hour. */
	assert_in_range(disk.commands, 20, 35);
	/* Another disk's firmware: at the latest after an hour it is found. */
	disk.high = PBS_REASON_NONE;
	disk.now_s += 3600;
	assert_int_equal(open_nodes(&failure), 0);
	disk.high = PBS_REASON_COMMAND;
	disk.commands = 0;
	assert_int_equal(open_nodes(&failure), -1);
	disk.now_s += 10;
	assert_int_equal(open_nodes(&failure), -1);
	assert_int_equal(disk.commands, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_drive_that_aborts_high_is_refused_by_one_command, reset),
		cmocka_unit_test_setup(a_drive_that_takes_high_is_asked_for_nothing_else, reset),
		cmocka_unit_test_setup(without_rights_on_its_sg_node_the_block_node_is_tried, reset),
		cmocka_unit_test_setup(it_is_asked_again_ever_more_rarely, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
