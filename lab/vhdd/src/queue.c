// SPDX-License-Identifier: Apache-2.0
#include "queue.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* FUSE would split a larger request. */
#define MAX_SECTORS_KB "1024"

/*
 * What the kernel gives a queue with a scheduler: twice its tags (blk_mq_default_nr_requests). A loop device has
 * 128 of them, of which the setting leaves 32, but the kernel reckons with the 128 when a scheduler is attached.
 * mq-deadline's async_depth follows: three quarters of it, since Linux 6.9 all of it.
 */
#define SCHEDULED_REQUESTS "64"

static int open_setting(int loop, const char *setting, int flags)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/block/loop%d/queue/%s", loop, setting);
	return open(path, flags | O_CLOEXEC);
}

static int read_setting(int loop, const char *setting, char *value, size_t size)
{
	int file = open_setting(loop, setting, O_RDONLY);
	ssize_t length;
	int error = 0;

	if (file < 0)
		return -errno;
	length = read(file, value, size - 1);
	if (length < 0)
		error = -errno;
	close(file);
	if (error)
		return error;
	value[length] = '\0';
	value[strcspn(value, "\n")] = '\0';
	return 0;
}

static int write_setting(int loop, const char *setting, const char *value)
{
	int file = open_setting(loop, setting, O_WRONLY);
	int error = 0;

	if (file < 0)
		return -errno;
	if (write(file, value, strlen(value)) < 0)
		error = -errno;
	close(file);
	return error;
}

static int apply_one(int loop, const char *setting, const char *value)
{
	int error = write_setting(loop, setting, value);

	if (error) {
		errno = -error;
		warn("cannot set %s of loop%d to \"%s\"", setting, loop, value);
	}
	return error;
}

/* As apply_one, for a setting that a kernel may not have, and then does not need. */
static int apply_if_there(int loop, const char *setting, const char *value)
{
	char now[128];

	if (read_setting(loop, setting, now, sizeof(now)))
		return 0;
	return apply_one(loop, setting, value);
}

static int apply_tags(int loop)
{
	char tags[16];
	char now[128];
	int error;

	snprintf(tags, sizeof(tags), "%d", VHDD_QUEUE_TAGS);
	/* Under a scheduler this would change the scheduler's own queue and not the tags. */
	error = apply_one(loop, "scheduler", "none");
	if (!error)
		error = apply_one(loop, "nr_requests", tags);
	if (!error)
		error = read_setting(loop, "nr_requests", now, sizeof(now));
	if (!error && strcmp(now, tags)) {
		warnx("loop%d has %s tags instead of %s", loop, now, tags);
		error = -ENOTSUP;
	}
	return error;
}

/* The kernel sets the requests anew each time that a scheduler is set, "none" too. */
static int apply_requests(int loop, const char *scheduler)
{
	char tags[16];

	if (strcmp(scheduler, "none"))
		return apply_one(loop, "nr_requests", SCHEDULED_REQUESTS);
	snprintf(tags, sizeof(tags), "%d", VHDD_QUEUE_TAGS);
	return apply_one(loop, "nr_requests", tags);
}

static int apply_scheduler(int loop, const char *scheduler)
{
	char names[256] = "?";
	int error = write_setting(loop, "scheduler", scheduler);

	if (!error)
		return apply_requests(loop, scheduler);
	read_setting(loop, "scheduler", names, sizeof(names));
	warnx("cannot set scheduler \"%s\": %s; this kernel has: %s", scheduler, strerror(-error),
	      names);
	return error;
}

/*
 * The kernel's default for the disk that it is now; the loop device has been something else before. BFQ is left
 * without throttling, but it switches only a default off (block/blk-wbt.c, wbt_disable_default), no value that
 * was set.
 */
static int apply_throttling(int loop, const char *scheduler)
{
	return apply_if_there(loop, "wbt_lat_usec", strcmp(scheduler, "bfq") == 0 ? "0" : "-1");
}

int vhdd_queue_apply(int loop, const char *scheduler, unsigned int read_ahead_kb, bool write_cache)
{
	char read_ahead[16];
	int error = apply_tags(loop);

	snprintf(read_ahead, sizeof(read_ahead), "%u", read_ahead_kb);
	if (!error)
		error = apply_scheduler(loop, scheduler);
	if (!error)
		error = apply_one(loop, "rotational", "1");
	if (!error)
		error = apply_one(loop, "write_cache", write_cache ? "write back" : "write through");
	if (!error)
		error = apply_one(loop, "max_sectors_kb", MAX_SECTORS_KB);
	if (!error)
		error = apply_if_there(loop, "add_random", "0");
	if (!error)
		error = apply_throttling(loop, scheduler);
	/* Last, because each change of a limit raises it to twice the optimal request. */
	if (!error)
		error = apply_one(loop, "read_ahead_kb", read_ahead);
	return error;
}

json_t *vhdd_queue_to_json(const char *device)
{
	static const char *const settings[] = {"scheduler", "nr_requests", "read_ahead_kb", "write_cache",
					       "wbt_lat_usec"};
	json_t *queue = json_object();
	char value[256];
	int loop;

	if (sscanf(device, "/dev/loop%d", &loop) != 1)
		return queue;
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		if (read_setting(loop, settings[i], value, sizeof(value)) == 0)
			json_object_set_new(queue, settings[i], json_string(value));
	return queue;
}
