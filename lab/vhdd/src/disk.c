// SPDX-License-Identifier: Apache-2.0
#include "disk.h"

#include "control.h"
#include "fusectl.h"
#include "loop.h"
#include "mountinfo.h"
#include "process.h"
#include "queue.h"
#include "server.h"
#include "state.h"
#include "watchdog.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mount.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long the daemon may take to answer before it counts as hung. */
#define ANSWER_MS 2000
#define STOP_MS 5000

/* More filesystems than are mounted on one disk. */
#define MOUNTS 64

static int call(const struct vhdd_paths *paths, json_t *request)
{
	json_t *reply = vhdd_control_call(paths->socket, request, ANSWER_MS);
	int error = 0;

	if (!reply) {
		error = -errno;
	} else if (!json_is_true(json_object_get(reply, "ok"))) {
		warnx("%s: %s", paths->name, json_string_value(json_object_get(reply, "error")));
		error = -EPROTO;
	}
	json_decref(reply);
	return error;
}

/* --- create ------------------------------------------------------------------------------------- */

/* What create needs from one step to the next. */
struct creation {
	const struct vhdd_paths *paths;
	const struct vhdd_disk_options *options;
	struct vhdd_state state;
	int lock;
	int heartbeat; /* eventfd between the daemon and the watchdog */
	int daemon;    /* pidfd */
};

static int make_directories(const struct vhdd_paths *paths)
{
	int error = vhdd_make_dirs(paths->mount);

	if (error)
		warnx("cannot make %s: %s", paths->mount, strerror(-error));
	return error;
}

static int run_daemon(const struct creation *creation, int ready)
{
	const int keep[] = {creation->heartbeat, creation->lock, ready};
	const struct vhdd_server_options options = {
		.paths = creation->paths,
		.params = creation->options->params,
		.heartbeat = creation->heartbeat,
		.ready = ready,
		.lock = creation->lock,
	};

	vhdd_process_detach("vhdd-daemon", keep, sizeof(keep) / sizeof(keep[0]));
	return vhdd_server_run(&options);
}

static int run_watchdog(const struct creation *creation, int ready)
{
	const int keep[] = {creation->daemon, creation->heartbeat, creation->lock, ready};
	const struct vhdd_watchdog_options options = {
		.paths = creation->paths,
		.daemon = creation->daemon,
		.heartbeat = creation->heartbeat,
		.ready = ready,
		.lock = creation->lock,
	};

	vhdd_process_detach("vhdd-watchdog", keep, sizeof(keep) / sizeof(keep[0]));
	return vhdd_watchdog_run(&options);
}

/*
 * Starts a background process and waits until it is ready. Its pidfd, or -ECHILD after the process has
 * printed why.
 */
static int start_process(const struct creation *creation,
			 int (*run)(const struct creation *creation, int ready))
{
	int ready[2];
	char byte;
	ssize_t length;
	pid_t pid;

	if (pipe2(ready, O_CLOEXEC)) {
		warn("cannot start a process");
		return -ECHILD;
	}
	pid = fork();
	if (pid == 0)
		_exit(run(creation, ready[1]));
	if (pid < 0)
		warn("cannot start a process");
	close(ready[1]);
	length = pid > 0 ? read(ready[0], &byte, 1) : 0;
	close(ready[0]);
	if (length == 1)
		return pidfd_open(pid, 0);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return -ECHILD;
}

static int start_processes(struct creation *creation)
{
	int watchdog;

	creation->heartbeat = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (creation->heartbeat < 0) {
		warn("cannot make the heartbeat");
		return -ECHILD;
	}
	creation->daemon = start_process(creation, run_daemon);
	if (creation->daemon < 0)
		return -ECHILD;
	watchdog = start_process(creation, run_watchdog);
	if (watchdog < 0)
		return -ECHILD;
	close(watchdog);
	return 0;
}

/* Called before each attempt to add a loop device, so that destroy knows it if this process dies. */
static int prepare_loop(int loop, void *context)
{
	struct creation *creation = context;
	char device[32];
	int error;

	creation->state.loop = loop;
	error = vhdd_state_write(&creation->state, creation->paths->state);
	if (error)
		return error;
	snprintf(device, sizeof(device), "/dev/loop%d", loop);
	return call(creation->paths,
		    json_pack("{s:s, s:s, s:i, s:i}", "operation", "watch", "device", device,
			      "major", VHDD_LOOP_MAJOR, "minor", loop));
}

static int set_up_loop(struct creation *creation)
{
	int loop = vhdd_loop_add(creation->paths->image, prepare_loop, creation);

	if (loop < 0)
		return loop;
	return vhdd_queue_apply(loop, creation->options->scheduler,
				creation->options->read_ahead_kb,
				creation->options->params.write_cache_bytes > 0);
}

static int create_steps(struct creation *creation)
{
	int error = make_directories(creation->paths);

	if (!error)
		error = vhdd_state_write(&creation->state, creation->paths->state);
	if (!error)
		error = start_processes(creation);
	if (!error)
		error = set_up_loop(creation);
	if (error)
		return error;
	/* Does not count the kernel's own search for partitions. */
	error = call(creation->paths,
		     json_pack("{s:s, s:b}", "operation", "stats", "reset", 1));
	if (error)
		return error;
	creation->state.complete = true;
	return vhdd_state_write(&creation->state, creation->paths->state);
}

static int destroy_locked(const struct vhdd_paths *paths, bool force);

int vhdd_disk_create(const struct vhdd_paths *paths, const struct vhdd_disk_options *options)
{
	struct creation creation = {
		.paths = paths,
		.options = options,
		.state = {.size_bytes = options->params.size_bytes, .loop = VHDD_NO_LOOP},
		.lock = vhdd_paths_lock(paths),
		.heartbeat = -1,
		.daemon = -1,
	};
	int result;

	if (creation.lock < 0)
		return -EIO;
	if (vhdd_paths_exist(paths)) {
		warnx("%s: the disk exists already; \"vhdd destroy %s\" removes it",
		      paths->name, paths->name);
		close(creation.lock);
		return -EEXIST;
	}
	result = create_steps(&creation);
	if (result) {
		destroy_locked(paths, true);
		unlink(paths->lock);
	} else {
		result = creation.state.loop;
	}
	if (creation.heartbeat >= 0)
		close(creation.heartbeat);
	if (creation.daemon >= 0)
		close(creation.daemon);
	close(creation.lock);
	return result;
}

/* --- destroy ------------------------------------------------------------------------------------ */

/* Whether something holds the device exclusively: a mount (in any namespace), swap, device mapper. */
static bool in_exclusive_use(int loop)
{
	char device[32];
	int file;

	snprintf(device, sizeof(device), "/dev/loop%d", loop);
	file = open(device, O_RDONLY | O_EXCL | O_CLOEXEC);
	if (file < 0)
		return errno == EBUSY;
	close(file);
	return false;
}

static int refuse_if_used(const struct vhdd_paths *paths, int loop)
{
	struct hprio_mount mount;

	if (hprio_mount_of_device(VHDD_LOOP_MAJOR, loop, &mount)) {
		warnx("%s: /dev/loop%d is mounted on %s; unmount it, or use --force", paths->name,
		      loop, mount.point);
		return -EBUSY;
	}
	if (in_exclusive_use(loop)) {
		warnx("%s: /dev/loop%d is in use (as swap, by device mapper, or mounted in another "
		      "namespace); end that, or use --force", paths->name, loop);
		return -EBUSY;
	}
	return 0;
}

static void unmount_filesystems(const struct vhdd_paths *paths, int loop)
{
	struct hprio_mount mount;

	for (int i = 0; i < MOUNTS && hprio_mount_of_device(VHDD_LOOP_MAJOR, loop, &mount); i++) {
		if (umount2(mount.point, UMOUNT_NOFOLLOW) == 0)
			continue;
		warn("%s: cannot unmount %s because it is in use; detaching it from its users", paths->name, mount.point);
		if (umount2(mount.point, UMOUNT_NOFOLLOW | MNT_DETACH))
			return;
	}
}

int vhdd_disk_abort(const struct vhdd_paths *paths)
{
	struct hprio_mount mount;

	return hprio_mount_at(paths->mount, &mount) ? vhdd_fuse_abort(mount.minor) : 0;
}

/* Makes requests to the disk fast: they are done without delay, or fail. */
static void make_fast(const struct vhdd_paths *paths)
{
	int error = call(paths, json_pack("{s:s, s:[s]}", "operation", "set", "assignments",
					  "timed=0"));

	if (error)
		vhdd_disk_abort(paths);
}

static int release_loop(const struct vhdd_paths *paths, int loop)
{
	int error;

	make_fast(paths);
	unmount_filesystems(paths, loop);
	error = vhdd_loop_remove(loop, paths->image);
	if (error == -EBUSY)
		warnx("%s: /dev/loop%d is still open somewhere; \"vhdd destroy %s\" removes it once it "
		      "is closed", paths->name, loop, paths->name);
	else if (error)
		warnx("%s: cannot remove /dev/loop%d: %s", paths->name, loop, strerror(-error));
	return error;
}

static int stop_processes(const struct vhdd_paths *paths)
{
	struct hprio_mount mount;

	/* The watchdog first, or it would abort a connection that ends anyway. */
	if (!vhdd_process_stop(paths->watchdog_pid, STOP_MS) ||
	    !vhdd_process_stop(paths->daemon_pid, STOP_MS)) {
		warnx("%s: the daemon or its watchdog does not exit", paths->name);
		return -EBUSY;
	}
	for (int i = 0; i < MOUNTS && hprio_mount_at(paths->mount, &mount); i++)
		umount2(paths->mount, UMOUNT_NOFOLLOW | MNT_DETACH);
	return 0;
}

static int destroy_locked(const struct vhdd_paths *paths, bool force)
{
	struct vhdd_state state;
	int loop_error = 0;
	int error;

	if (!vhdd_paths_exist(paths))
		return 0;
	vhdd_state_read(&state, paths->state);
	if (state.loop != VHDD_NO_LOOP && vhdd_loop_is_ours(state.loop, paths->image)) {
		error = force ? 0 : refuse_if_used(paths, state.loop);
		if (error)
			return error;
		loop_error = release_loop(paths, state.loop);
	}
	if (loop_error && !force)
		return loop_error;
	error = stop_processes(paths);
	/* What is left of the loop device is found through the state. */
	if (loop_error)
		return loop_error;
	return error ? error : vhdd_paths_remove(paths);
}

int vhdd_disk_destroy(const struct vhdd_paths *paths, bool force)
{
	int lock = vhdd_paths_lock(paths);
	int error;

	if (lock < 0)
		return -EIO;
	error = destroy_locked(paths, force);
	if (!error)
		unlink(paths->lock);
	close(lock);
	return error;
}

/* --- inspect ------------------------------------------------------------------------------------ */

static enum vhdd_disk_condition ask_daemon(const struct vhdd_paths *paths,
					   struct vhdd_disk_info *info)
{
	json_t *reply = vhdd_control_call(paths->socket, json_pack("{s:s}", "operation", "stats"),
					  ANSWER_MS);
	const char *mode = NULL;

	if (!reply)
		return info->pid ? VHDD_DISK_HUNG : VHDD_DISK_DEAD;
	if (json_unpack(reply, "{s:{s:s}}", "parameters", "mode", &mode) == 0)
		snprintf(info->mode, sizeof(info->mode), "%s", mode);
	json_decref(reply);
	return VHDD_DISK_RUNNING;
}

int vhdd_disk_inspect(const struct vhdd_paths *paths, struct vhdd_disk_info *info)
{
	struct vhdd_state state;
	int error = vhdd_state_read(&state, paths->state);

	if (error)
		return error;
	*info = (struct vhdd_disk_info){
		.size_bytes = state.size_bytes,
		.loop = state.loop,
		.pid = vhdd_pidfile_owner(paths->daemon_pid),
		.mode = "-",
	};
	info->condition = ask_daemon(paths, info);
	if (!state.complete && info->condition == VHDD_DISK_RUNNING)
		info->condition = VHDD_DISK_INCOMPLETE;
	return 0;
}

const char *vhdd_disk_condition_name(enum vhdd_disk_condition condition)
{
	static const char *const names[] = {
		[VHDD_DISK_RUNNING] = "running",
		[VHDD_DISK_INCOMPLETE] = "incomplete",
		[VHDD_DISK_DEAD] = "dead",
		[VHDD_DISK_HUNG] = "hung",
	};

	return names[condition];
}
