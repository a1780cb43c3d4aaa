// SPDX-License-Identifier: Apache-2.0
/* Volumes on one disk: what they send counts together, and is bounded. The disk and /dev are fakes. */
#include "unit.h"

#include "disk.h"
#include "node.h"
#include "target.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#define NO_NODE "none"

/* Of the fake disks. */
static unsigned opened;
static unsigned closed;
static unsigned nodes_open;
static unsigned last_in_flight;
static char disk_bytes[8];

int __wrap_pbs_nodes_open(const struct pbs_volume_info *info, struct pbs_nodes *nodes,
			  struct pbs_failure *failure);
void __wrap_pbs_nodes_close(struct pbs_nodes *nodes);
int __wrap_pbs_disk_open(const struct pbs_volume_info *info, const struct pbs_nodes *nodes,
			 unsigned in_flight, struct pbs_disk **disk,
			 struct pbs_failure *failure);
void __wrap_pbs_disk_close(struct pbs_disk *disk);
struct pbs_drive *__wrap_pbs_disk_drive(const struct pbs_disk *disk);
int __wrap_pbs_node_open(const char *name, int flags, mode_t type, dev_t number);

int __wrap_pbs_nodes_open(const struct pbs_volume_info *info, struct pbs_nodes *nodes,
			  struct pbs_failure *failure)
{
	(void)info;
	(void)failure;
	nodes->count = 1;
	nodes_open++;
	return 0;
}

void __wrap_pbs_nodes_close(struct pbs_nodes *nodes)
{
	(void)nodes;
	nodes_open--;
}

int __wrap_pbs_disk_open(const struct pbs_volume_info *info, const struct pbs_nodes *nodes,
			 unsigned in_flight, struct pbs_disk **disk, struct pbs_failure *failure)
{
	(void)info;
	(void)nodes;
	(void)failure;
	last_in_flight = in_flight;
	*disk = (struct pbs_disk *)&disk_bytes[opened++ % sizeof(disk_bytes)];
	return 0;
}

void __wrap_pbs_disk_close(struct pbs_disk *disk)
{
	(void)disk;
	nodes_open--;
	closed++;
}

struct pbs_drive *__wrap_pbs_disk_drive(const struct pbs_disk *disk)
{
	return (struct pbs_drive *)disk;
}

int __wrap_pbs_node_open(const char *name, int flags, mode_t type, dev_t number)
{
	(void)type;
	(void)number;
	return open(strcmp(name, NO_NODE) == 0 ? "/nonexistent" : "/dev/null", flags | O_CLOEXEC);
}

static int reset(void **state)
{
	(void)state;
	opened = 0;
	closed = 0;
	nodes_open = 0;
	return 0;
}

static struct pbs_volume_info on(unsigned disk, unsigned partition, int32_t queue_depth)
{
	struct pbs_volume_info info = {
		.device_major = 8,
		.device_minor = (int32_t)(disk * 16 + partition),
		.disk_major = 8,
		.disk_minor = (int32_t)(disk * 16),
		.queue_depth = queue_depth,
		.device = "sda1",
	};

	return info;
}

static struct pbs_target *open_target(struct pbs_volume_info info, unsigned in_flight)
{
	struct pbs_failure failure;
	struct pbs_target *target;

	assert_int_equal(pbs_target_open(&info, in_flight, &target, &failure), 0);
	return target;
}

static void half_of_the_queue_is_left_to_others(void **state)
{
	static const struct {
		int32_t queue_depth;
		unsigned wanted;
		unsigned in_flight;
	} cases[] = {{32, 32, 16}, {31, 32, 15}, {2, 32, 1}, {32, 4, 4}, {-1, 32, 1}};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		pbs_target_close(open_target(on(0, 1, cases[i].queue_depth), cases[i].wanted));
		assert_int_equal(last_in_flight, cases[i].in_flight);
	}
	assert_int_equal(closed, COUNT(cases));
}

static void volumes_on_one_disk_share_it(void **state)
{
	struct pbs_target *first = open_target(on(0, 1, 32), 32);
	struct pbs_target *second = open_target(on(0, 2, 32), 32);
	struct pbs_target *other = open_target(on(1, 1, 32), 32);

	(void)state;
	assert_int_equal(opened, 2);
	assert_int_equal(nodes_open, 2);
	assert_ptr_equal(first->drive, second->drive);
	assert_ptr_not_equal(first->drive, other->drive);
	assert_int_equal(second->device, makedev(8, 2));
	pbs_target_close(first);
	assert_int_equal(closed, 0);
	pbs_target_close(second);
	assert_int_equal(closed, 1);
	pbs_target_close(other);
	assert_int_equal(closed, 2);
	pbs_target_close(open_target(on(0, 1, 32), 32));
	assert_int_equal(opened, 3);
}

static void a_partition_that_cannot_be_held_open_is_refused(void **state)
{
	struct pbs_volume_info info = on(0, 1, 32);
	struct pbs_failure failure;
	struct pbs_target *target;

	(void)state;
	strcpy(info.device, NO_NODE);
	assert_int_equal(pbs_target_open(&info, 32, &target, &failure), -1);
	assert_int_equal(failure.reason, PBS_REASON_RIGHTS);
	assert_string_equal(failure.text, "/dev/none: No such file or directory");
	assert_int_equal(opened, 0);
	assert_int_equal(nodes_open, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(half_of_the_queue_is_left_to_others, reset),
		cmocka_unit_test_setup(volumes_on_one_disk_share_it, reset),
		cmocka_unit_test_setup(a_partition_that_cannot_be_held_open_is_refused, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
