// SPDX-License-Identifier: Apache-2.0
#include "helper_opener.h"

#include "helper_socket.h"
#include "survey.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_WAIT_MS 1000
#define LONGEST_WAIT_MS 30000

/* Comes with the partition's descriptor; then each node's comes in a message of one byte. */
struct opened {
	struct pbs_volume_info info;
	unsigned nodes;
};

static int open_below(int fd, bool with_rawio, struct pbs_volume_info *info,
		      struct pbs_handles *handles, struct pbs_failure *failure)
{
	struct hprio_mount mount;
	struct stat status;

	if (fstat(fd, &status))
		return pbs_fail(failure, PBS_REASON_VOLUME, "%s", strerror(errno));
	hprio_mount_of_file(fd, &mount);
	pbs_survey("/sys", "/proc", status.st_dev, &mount, info);
	if (info->ncq_refused[0])
		return pbs_fail(failure, PBS_REASON_VOLUME, "%s", info->ncq_refused);
	if (pbs_handles_open(info, handles, failure))
		return -1;
	if (with_rawio || !handles->nodes.need_rawio)
		return 0;
	close(handles->partition);
	pbs_nodes_close(&handles->nodes);
	return pbs_fail(failure, PBS_REASON_RIGHTS,
			"%s has no sg node that may be opened for writing; the helper keeps "
			"CAP_SYS_RAWIO, which its block node needs, only without module sg",
			info->disk);
}

static int open_volume(const char *path, bool with_rawio, struct pbs_volume_info *info,
		       struct pbs_handles *handles, struct pbs_failure *failure)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int result;

	if (fd < 0)
		return pbs_fail(failure, PBS_REASON_VOLUME, "%s", strerror(errno));
	result = open_below(fd, with_rawio, info, handles, failure);
	/* Until here it keeps the file system mounted. */
	close(fd);
	return result;
}

static int hand_over(int socket, const struct pbs_volume_info *info,
		     const struct pbs_handles *handles)
{
	const struct opened opened = {.info = *info, .nodes = handles->nodes.count};
	int error = pbs_socket_send(socket, &opened, sizeof(opened), handles->partition);

	for (unsigned i = 0; i < handles->nodes.count && !error; i++)
		error = pbs_socket_send(socket, "", 1, handles->nodes.node[i]);
	return error;
}

/* Whether the helper ended meanwhile. */
static bool wait_for_end(int socket, int ms)
{
	struct pollfd waited = {.fd = socket};

	return poll(&waited, 1, ms) > 0;
}

static _Noreturn void keep_opening(const char *path, bool with_rawio, int socket)
{
	char told[PBS_TEXT] = "";
	int wait_ms = FIRST_WAIT_MS;

	for (;;) {
		struct pbs_failure failure;
		struct pbs_handles handles;
		struct pbs_volume_info info;

		if (open_volume(path, with_rawio, &info, &handles, &failure) == 0) {
			if (hand_over(socket, &info, &handles))
				_exit(EXIT_FAILURE);
			warnx("%s: serves %s on %s", path, info.device, info.disk);
			_exit(EXIT_SUCCESS);
		}
		if (strcmp(told, failure.text) != 0)
			warnx("%s: not served: %s (tried again)", path, failure.text);
		strcpy(told, failure.text);
		if (wait_for_end(socket, wait_ms))
			_exit(EXIT_SUCCESS);
		wait_ms = 2 * wait_ms < LONGEST_WAIT_MS ? 2 * wait_ms : LONGEST_WAIT_MS;
	}
}

int pbs_opener_start(const char *path, bool with_rawio, const int *others, unsigned count)
{
	int ends[2];
	pid_t process;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		err(EXIT_FAILURE, "%s: socketpair", path);
	process = fork();
	if (process < 0)
		err(EXIT_FAILURE, "%s: fork", path);
	if (process == 0) {
		/* As long as these are open, the other openers do not see that the helper has ended. */
		for (unsigned i = 0; i < count; i++)
			close(others[i]);
		close(ends[0]);
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
		keep_opening(path, with_rawio, ends[1]);
	}
	close(ends[1]);
	return ends[0];
}

static int take_nodes(int socket, unsigned count, struct pbs_nodes *nodes)
{
	char byte;

	for (nodes->count = 0; nodes->count < count && nodes->count < PBS_MAX_NODES; nodes->count++) {
		int error = pbs_socket_receive(socket, &byte, 1, &nodes->node[nodes->count]);

		if (error)
			return error;
	}
	return 0;
}

static int take(int socket, struct pbs_target **target, struct pbs_failure *failure)
{
	struct pbs_handles handles = {0};
	struct opened opened;
	int error = pbs_socket_receive(socket, &opened, sizeof(opened), &handles.partition);

	if (error)
		return pbs_fail(failure, PBS_REASON_HELPER, "the process that opens it: %s",
				strerror(-error));
	error = take_nodes(socket, opened.nodes, &handles.nodes);
	if (error) {
		close(handles.partition);
		pbs_nodes_close(&handles.nodes);
		return pbs_fail(failure, PBS_REASON_HELPER, "the process that opens it: %s",
				strerror(-error));
	}
	return pbs_target_make(&opened.info, &handles, PBS_MAX_PIECES, target, failure);
}

int pbs_opener_take(int socket, struct pbs_target **target, struct pbs_failure *failure)
{
	int result = take(socket, target, failure);

	close(socket);
	return result;
}
