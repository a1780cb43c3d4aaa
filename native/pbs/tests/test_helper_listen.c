// SPDX-License-Identifier: Apache-2.0
/* The helper's socket, where others may write the directory that it lies in. */
#include "unit.h"

#include "helper_listen.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define OTHER 12345

int __real_bind(int socket, const struct sockaddr *address, socklen_t size);
int __wrap_bind(int socket, const struct sockaddr *address, socklen_t size);

static char directory[64];
static char path[96];
static char victim[96];
/* Whether somebody puts a link to the victim in the place of a socket that was just made. */
static bool replace;

int __wrap_bind(int socket, const struct sockaddr *address, socklen_t size)
{
	int result = __real_bind(socket, address, size);

	if (result == 0 && replace) {
		assert_int_equal(unlink(path), 0);
		assert_int_equal(symlink(victim, path), 0);
	}
	return result;
}

static int make_directory(void **state)
{
	FILE *stream;

	(void)state;
	strcpy(directory, "/tmp/test_helper_listen.XXXXXX");
	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/socket", directory);
	snprintf(victim, sizeof(victim), "%s/victim", directory);
	stream = fopen(victim, "w");
	assert_non_null(stream);
	fclose(stream);
	replace = false;
	return 0;
}

static int remove_directory(void **state)
{
	(void)state;
	unlink(path);
	unlink(victim);
	return rmdir(directory);
}

static void only_whom_it_is_given_to_may_connect(void **state)
{
	struct pbs_failure failure;
	struct stat status;
	uid_t wanted = geteuid() == 0 ? OTHER : geteuid();
	int listener = pbs_helper_listen(path, wanted, (gid_t)-1, 1, &failure);

	(void)state;
	assert_true(listener >= 0);
	assert_int_equal(lstat(path, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0660);
	assert_int_equal(status.st_uid, wanted);
	close(listener);
}

static void what_a_link_points_to_is_given_to_nobody(void **state)
{
	struct pbs_failure failure;
	struct stat status;
	int listener;

	(void)state;
	if (geteuid() != 0)
		unit_missing("root", "only it may give files away");
	replace = true;
	listener = pbs_helper_listen(path, OTHER, OTHER, 1, &failure);
	assert_true(listener >= 0);
	assert_int_equal(stat(victim, &status), 0);
	assert_int_equal(status.st_uid, 0);
	assert_int_equal(status.st_gid, 0);
	close(listener);
}

static void a_socket_is_replaced_when_nobody_listens_any_more(void **state)
{
	struct pbs_failure failure;
	int first = pbs_helper_listen(path, (uid_t)-1, (gid_t)-1, 1, &failure);

	(void)state;
	assert_true(first >= 0);
	assert_int_equal(pbs_helper_listen(path, (uid_t)-1, (gid_t)-1, 1, &failure), -1);
	assert_non_null(strstr(failure.text, "Address already in use"));
	close(first);
	first = pbs_helper_listen(path, (uid_t)-1, (gid_t)-1, 1, &failure);
	assert_true(first >= 0);
	close(first);
}

/* One that accepts nobody, with as many waiting as it lets, would make others wait for ever. */
static void nor_when_it_hangs(void **state)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct pbs_failure failure;
	int first = pbs_helper_listen(path, (uid_t)-1, (gid_t)-1, 0, &failure);
	int waiting;

	(void)state;
	assert_true(first >= 0);
	strcpy(address.sun_path, path);
	do
		waiting = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	while (connect(waiting, (const struct sockaddr *)&address, sizeof(address)) == 0);
	assert_int_equal(errno, EAGAIN);
	assert_int_equal(pbs_helper_listen(path, (uid_t)-1, (gid_t)-1, 1, &failure), -1);
	close(first);
}

int main(void)
{
#define IN_DIRECTORY(test) cmocka_unit_test_setup_teardown(test, make_directory, remove_directory)
	const struct CMUnitTest tests[] = {
		IN_DIRECTORY(only_whom_it_is_given_to_may_connect),
		IN_DIRECTORY(what_a_link_points_to_is_given_to_nobody),
		IN_DIRECTORY(a_socket_is_replaced_when_nobody_listens_any_more),
		IN_DIRECTORY(nor_when_it_hangs),
	};

	alarm(60);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
