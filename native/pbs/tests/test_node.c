// SPDX-License-Identifier: Apache-2.0
/* A node is what it should be only if its number is that of sysfs, too. */
#include "unit.h"

#include "node.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static void a_node_with_another_number_is_not_opened(void **state)
{
	int fd = pbs_node_open("null", O_RDONLY, S_IFCHR, makedev(1, 3));

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	errno = 0;
	assert_int_equal(pbs_node_open("null", O_RDONLY, S_IFCHR, makedev(1, 5)), -1);
	assert_int_equal(errno, ENODEV);
	assert_int_equal(pbs_node_open("null", O_RDONLY, S_IFBLK, makedev(1, 3)), -1);
	assert_int_equal(errno, ENODEV);
	assert_int_equal(pbs_node_open("no-such-node", O_RDONLY, S_IFCHR, makedev(1, 3)), -1);
	assert_int_equal(errno, ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_node_with_another_number_is_not_opened),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
