// SPDX-License-Identifier: Apache-2.0
#include "unit.h"

#include "mountinfo.h"

#include <fcntl.h>
#include <unistd.h>

static void a_line_is_read(void **state)
{
	static const char line[] = "36 35 98:1000 /mnt1 /mnt\\0402\\134 rw,noatime master:1 - ext4 "
				   "/dev/root rw,errors=continue,data=journal\n";
	struct hprio_mount mount;

	(void)state;
	assert_true(hprio_mount_parse(line, &mount));
	assert_int_equal(mount.id, 36);
	assert_int_equal(mount.major, 98);
	assert_int_equal(mount.minor, 1000);
	assert_string_equal(mount.point, "/mnt 2\\");
	assert_string_equal(mount.type, "ext4");
	assert_true(hprio_mount_parse("1 2 0:3 / / rw - xfs /dev/sda1 rw", &mount));
	assert_int_equal(mount.id, 1);
	assert_string_equal(mount.type, "xfs");
}

static void nonsense_is_refused(void **state)
{
	static const char *const wrong[] = {"1 2 0:3 / / rw", "1 2 0:3 / / rw - xfs",
					    "1 2 0 / / rw - xfs /dev/sda1 rw", ""};
	struct hprio_mount mount;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_false(hprio_mount_parse(wrong[i], &mount));
}

/* /proc is mounted wherever this runs, as the rest of this file's subject needs it. */
static void mounts_of_this_machine_are_found(void **state)
{
	int fd = open("/proc/self", O_PATH | O_CLOEXEC);
	struct hprio_mount by_path;
	struct hprio_mount other;

	(void)state;
	assert_true(fd >= 0);
	assert_true(hprio_mount_at("/proc", &by_path));
	assert_string_equal(by_path.type, "proc");
	assert_true(hprio_mount_of_file(fd, &other));
	assert_string_equal(other.type, "proc");
	assert_int_equal(other.minor, by_path.minor);
	assert_true(hprio_mount_of_device(by_path.major, by_path.minor, &other));
	assert_string_equal(other.type, "proc");
	close(fd);
	assert_false(hprio_mount_of_file(fd, &other));
	assert_string_equal(other.type, "");
	assert_false(hprio_mount_at("/not/mounted", &other));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_read),
		cmocka_unit_test(nonsense_is_refused),
		cmocka_unit_test(mounts_of_this_machine_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
