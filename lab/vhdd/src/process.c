// SPDX-License-Identifier: Apache-2.0
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static struct flock whole_file(short type)
{
	return (struct flock){.l_type = type, .l_whence = SEEK_SET};
}

int vhdd_pidfile_claim(const char *path)
{
	struct flock lock = whole_file(F_WRLCK);
	/* Never closed: closing any descriptor of the file would give up the lock. */
	int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);

	if (file < 0)
		return -errno;
	if (fcntl(file, F_SETLK, &lock)) {
		int error = errno;

		close(file);
		return -error;
	}
	if (ftruncate(file, 0) || dprintf(file, "%d\n", getpid()) < 0)
		return -errno;
	return 0;
}

pid_t vhdd_pidfile_owner(const char *path)
{
	struct flock lock = whole_file(F_WRLCK);
	int file = open(path, O_RDWR | O_CLOEXEC);
	pid_t owner = 0;

	if (file < 0)
		return 0;
	if (fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK)
		owner = lock.l_pid;
	close(file);
	return owner;
}

int vhdd_pidfile_open(const char *path)
{
	pid_t owner = vhdd_pidfile_owner(path);
	int pidfd = owner > 0 ? pidfd_open(owner, 0) : -1;

	/* The pid may have been reused between the two calls, but then it holds no lock. */
	if (pidfd >= 0 && vhdd_pidfile_owner(path) != owner) {
		close(pidfd);
		return -1;
	}
	return pidfd;
}

bool vhdd_process_ended(int pidfd, int timeout_ms)
{
	struct pollfd end = {.fd = pidfd, .events = POLLIN};

	return poll(&end, 1, timeout_ms) == 1;
}

bool vhdd_process_stop(const char *pidfile, int timeout_ms)
{
	int pidfd = vhdd_pidfile_open(pidfile);
	bool ended;

	if (pidfd < 0)
		return true;
	pidfd_send_signal(pidfd, SIGTERM, NULL, 0);
	ended = vhdd_process_ended(pidfd, timeout_ms);
	if (!ended) {
		pidfd_send_signal(pidfd, SIGKILL, NULL, 0);
		ended = vhdd_process_ended(pidfd, timeout_ms);
	}
	close(pidfd);
	return ended;
}

static int compare_ints(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void close_others(const int *keep, size_t count)
{
	int sorted[count + 1];
	unsigned int first = STDERR_FILENO + 1;

	for (size_t i = 0; i < count; i++)
		sorted[i] = keep[i];
	qsort(sorted, count, sizeof(*sorted), compare_ints);
	for (size_t i = 0; i < count; i++) {
		if ((unsigned int)sorted[i] > first)
			close_range(first, (unsigned int)sorted[i] - 1, 0);
		first = (unsigned int)sorted[i] + 1;
	}
	close_range(first, UINT_MAX, 0);
}

void vhdd_process_detach(const char *title, const int *keep, size_t count)
{
	int null;

	prctl(PR_SET_NAME, title);
	setsid();
	close_others(keep, count);
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
		close(null);
	}
	if (chdir("/"))
		perror("vhdd: cannot change to /");
	signal(SIGPIPE, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGINT, SIG_IGN);
}

int vhdd_process_log_to(const char *path)
{
	int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	int error = 0;

	if (file < 0)
		return -errno;
	if (dup2(file, STDERR_FILENO) < 0)
		error = -errno;
	close(file);
	return error;
}
