// SPDX-License-Identifier: Apache-2.0
#include "helper_listen.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* Removes the socket of a helper that was killed, but none on which a process still listens. */
static void remove_left_socket(const struct sockaddr_un *address)
{
	struct stat status;
	int probe;

	if (lstat(address->sun_path, &status) || !S_ISSOCK(status.st_mode))
		return;
	/* Non-blocking: one that listens but accepts nobody makes others wait. */
	probe = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (probe >= 0 && connect(probe, (const struct sockaddr *)address, sizeof(*address)) &&
	    errno == ECONNREFUSED)
		unlink(address->sun_path);
	close(probe);
}

int pbs_helper_listen(const char *path, uid_t user, gid_t group, int backlog,
		      struct pbs_failure *failure)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	mode_t before;
	int result;

	strcpy(address.sun_path, path);
	remove_left_socket(&address);
	before = umask(0117);
	/* Not what a link points to: whoever may write the directory may have put one in the socket's place. */
	result = listener < 0 ||
		 bind(listener, (const struct sockaddr *)&address, sizeof(address)) ||
		 lchown(path, user, group) || listen(listener, backlog);
	umask(before);
	if (!result)
		return listener;
	pbs_fail(failure, PBS_REASON_HELPER, "--socket=%.100s: %s", path, strerror(errno));
	if (listener >= 0)
		close(listener);
	return -1;
}
