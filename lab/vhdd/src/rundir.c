// SPDX-License-Identifier: Apache-2.0
#include "rundir.h"

#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define NAME_LENGTH 32
#define NAME_CHARACTERS                                                                           \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

const char *vhdd_run_dir(const char *given)
{
	const char *variable = getenv(VHDD_RUN_DIR_VARIABLE);

	if (given)
		return given;
	return variable && *variable ? variable : VHDD_RUN_DIR_DEFAULT;
}

static bool valid_name(const char *name)
{
	size_t length = strlen(name);

	return length >= 1 && length <= NAME_LENGTH && name[0] != '-' &&
	       strspn(name, NAME_CHARACTERS) == length;
}

static bool join(char *path, const char *dir, const char *file)
{
	int length = snprintf(path, VHDD_PATH_SIZE, "%s/%s", dir, file);

	return length > 0 && length < VHDD_PATH_SIZE;
}

static int join_all(struct vhdd_paths *paths, const char *run_dir, const char *lock_file)
{
	if (snprintf(paths->root, sizeof(paths->root), "%s", run_dir) < VHDD_PATH_SIZE &&
	    join(paths->dir, run_dir, paths->name) && join(paths->lock, run_dir, lock_file) &&
	    join(paths->mount, paths->dir, "mount") && join(paths->image, paths->mount, "disk") &&
	    join(paths->socket, paths->dir, "control") &&
	    join(paths->state, paths->dir, "state.json") && join(paths->log, paths->dir, "log") &&
	    join(paths->daemon_pid, paths->dir, "daemon.pid") &&
	    join(paths->watchdog_pid, paths->dir, "watchdog.pid") &&
	    strlen(paths->socket) < sizeof(((struct sockaddr_un *)0)->sun_path))
		return 0;
	warnx("run directory \"%s\" is too long: the path of a socket in it has at most %zu "
	      "characters", run_dir, sizeof(((struct sockaddr_un *)0)->sun_path) - 1);
	return -EINVAL;
}

int vhdd_paths_init(struct vhdd_paths *paths, const char *run_dir, const char *name)
{
	char lock_file[NAME_LENGTH + sizeof("..lock")];
	char *real;
	int error;

	if (!valid_name(name)) {
		warnx("bad name \"%s\": allowed are 1 to %d letters, digits, '_' and '-', not "
		      "starting with '-'", name, NAME_LENGTH);
		return -EINVAL;
	}
	if (run_dir[0] != '/') {
		warnx("bad run directory \"%s\": it must be an absolute path", run_dir);
		return -EINVAL;
	}
	snprintf(lock_file, sizeof(lock_file), ".%.*s.lock", NAME_LENGTH, name);
	snprintf(paths->name, sizeof(paths->name), "%s", name);
	/* The kernel shows the real path of a loop device's file, so ours must be the real one. */
	real = realpath(run_dir, NULL);
	error = join_all(paths, real ? real : run_dir, lock_file);
	free(real);
	return error;
}

bool vhdd_paths_exist(const struct vhdd_paths *paths)
{
	struct stat status;

	return stat(paths->dir, &status) == 0;
}

int vhdd_make_dirs(const char *path)
{
	char copy[VHDD_PATH_SIZE];

	if (snprintf(copy, sizeof(copy), "%s", path) >= (int)sizeof(copy))
		return -ENAMETOOLONG;
	for (char *slash = strchr(copy + 1, '/');; slash = strchr(slash + 1, '/')) {
		if (slash)
			*slash = '\0';
		if (mkdir(copy, 0755) && errno != EEXIST)
			return -errno;
		if (!slash)
			return 0;
		*slash = '/';
	}
}

/* The locked file, or -1; -2 if another process deleted it in between. */
static int try_lock(const char *path)
{
	struct stat status;
	int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (lock < 0)
		return -1;
	if (flock(lock, LOCK_EX) == 0 && fstat(lock, &status) == 0) {
		if (status.st_nlink > 0)
			return lock;
		close(lock);
		return -2;
	}
	close(lock);
	return -1;
}

int vhdd_paths_lock(const struct vhdd_paths *paths)
{
	int error = vhdd_make_dirs(paths->root);
	int lock;

	if (error) {
		errno = -error;
		warn("cannot make the run directory %s", paths->root);
		return -1;
	}
	do
		lock = try_lock(paths->lock);
	while (lock == -2);
	if (lock < 0)
		warn("cannot lock %s", paths->lock);
	return lock;
}

int vhdd_paths_remove(const struct vhdd_paths *paths)
{
	const char *const files[] = {paths->socket, paths->state, paths->log, paths->daemon_pid,
				     paths->watchdog_pid};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		unlink(files[i]);
	if ((rmdir(paths->mount) && errno != ENOENT) || (rmdir(paths->dir) && errno != ENOENT)) {
		int error = errno;

		warn("cannot delete %s", paths->dir);
		return -error;
	}
	return 0;
}

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

char **vhdd_disk_names(const char *run_dir)
{
	struct dirent **entries = NULL;
	int count = scandir(run_dir, &entries, visible, alphasort);
	char **names;

	if (count < 0 && errno != ENOENT) {
		warn("cannot read the run directory %s", run_dir);
		return NULL;
	}
	names = calloc((count > 0 ? (size_t)count : 0) + 1, sizeof(*names));
	for (int i = 0; i < count; i++) {
		if (names)
			names[i] = strdup(entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	if (!names)
		warn("list of disks");
	return names;
}

void vhdd_disk_names_free(char **names)
{
	for (char **name = names; name && *name; name++)
		free(*name);
	free(names);
}
