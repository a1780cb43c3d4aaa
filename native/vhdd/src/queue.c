#include "queue.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In saved only: nr_requests with scheduler none, which is the number of tags. */
#define TAGS "tags"

/* Restored in this order, after the tags. Some are not there on some kernels. */
static const char *const settings[] = {"scheduler",	"nr_requests", "rotational",
				       "write_cache",	"max_sectors_kb", "add_random",
				       "wbt_lat_usec",	"read_ahead_kb"};

#define SETTINGS (sizeof(settings) / sizeof(settings[0]))

/* One more than FUSE's largest request would be split. */
#define MAX_SECTORS_KB "1024"

static int open_setting(int loop, const char *setting, int flags)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/block/loop%d/queue/%s", loop, setting);
	return open(path, flags | O_CLOEXEC);
}

/* The part in brackets of "none [mq-deadline] bfq". */
static void keep_chosen(char *text)
{
	char *open_bracket = strchr(text, '[');
	char *close_bracket = strchr(text, ']');

	if (!open_bracket || !close_bracket || close_bracket < open_bracket)
		return;
	*close_bracket = '\0';
	memmove(text, open_bracket + 1, strlen(open_bracket + 1) + 1);
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
	keep_chosen(value);
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

json_t *vhdd_queue_save(int loop)
{
	json_t *saved = json_object();
	char value[128];

	for (size_t i = 0; saved && i < SETTINGS; i++) {
		int error = read_setting(loop, settings[i], value, sizeof(value));

		if (error == -ENOENT || error == -EINVAL)
			continue;
		if (error || json_object_set_new(saved, settings[i], json_string(value))) {
			errno = error ? -error : ENOMEM;
			warn("cannot read the queue setting %s of loop%d", settings[i], loop);
			json_decref(saved);
			return NULL;
		}
	}
	return saved;
}

int vhdd_queue_save_tags(int loop, json_t *saved)
{
	char value[128];
	int error = write_setting(loop, "scheduler", "none");

	if (!error)
		error = read_setting(loop, "nr_requests", value, sizeof(value));
	if (!error && json_object_set_new(saved, TAGS, json_string(value)))
		error = -ENOMEM;
	if (error) {
		errno = -error;
		warn("cannot read the number of tags of loop%d", loop);
	}
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

/* As apply_one, for a setting that a kernel may not have, and then needs not. */
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

static int apply_scheduler(int loop, const char *scheduler)
{
	char names[256] = "?";
	int error = write_setting(loop, "scheduler", scheduler);
	int file;

	if (!error)
		return 0;
	file = open_setting(loop, "scheduler", O_RDONLY);
	if (file >= 0) {
		ssize_t length = read(file, names, sizeof(names) - 1);

		names[length > 0 ? length : 0] = '\0';
		names[strcspn(names, "\n")] = '\0';
		close(file);
	}
	warnx("cannot set scheduler \"%s\": %s; this kernel has: %s", scheduler, strerror(-error),
	      names);
	return error;
}

int vhdd_queue_apply(int loop, const char *scheduler, unsigned int read_ahead_kb)
{
	char read_ahead[16];
	int error = apply_tags(loop);

	snprintf(read_ahead, sizeof(read_ahead), "%u", read_ahead_kb);
	if (!error)
		error = apply_scheduler(loop, scheduler);
	if (!error)
		error = apply_one(loop, "rotational", "1");
	if (!error)
		error = apply_one(loop, "write_cache", "write through");
	if (!error)
		error = apply_one(loop, "max_sectors_kb", MAX_SECTORS_KB);
	if (!error)
		error = apply_if_there(loop, "add_random", "0");
	if (!error)
		error = apply_if_there(loop, "wbt_lat_usec", "0");
	/* Last: each change of a limit raises it to twice the optimal request. */
	if (!error)
		error = apply_one(loop, "read_ahead_kb", read_ahead);
	return error;
}

static void restore_one(int loop, const char *setting, const char *value)
{
	char now[128];
	int error;

	if (read_setting(loop, setting, now, sizeof(now)) == 0 && strcmp(now, value) == 0)
		return;
	error = write_setting(loop, setting, value);
	if (error)
		warnx("cannot set %s of loop%d back to \"%s\": %s", setting, loop, value,
		      strerror(-error));
}

static void restore_tags(int loop, const char *tags)
{
	char one_less[32];

	snprintf(one_less, sizeof(one_less), "%ld", strtol(tags, NULL, 10) - 1);
	restore_one(loop, "scheduler", "none");
	/* The kernel takes the full number for "as it is" and does nothing, unless it was less. */
	write_setting(loop, "nr_requests", one_less);
	restore_one(loop, "nr_requests", tags);
}

void vhdd_queue_restore(int loop, const json_t *saved)
{
	const char *tags = json_string_value(json_object_get(saved, TAGS));

	if (tags)
		restore_tags(loop, tags);
	for (size_t i = 0; i < SETTINGS; i++) {
		const char *value = json_string_value(json_object_get(saved, settings[i]));

		if (value)
			restore_one(loop, settings[i], value);
	}
}
