// SPDX-License-Identifier: Apache-2.0
/* The public functions: handles, the choice of the way, statistics. */
#include "hprio_pbs.h"

#include "cdl_drive.h"
#include "direct.h"
#include "extent_file.h"
#include "helper_client.h"
#include "mapped_read.h"
#include "residency.h"
#include "survey.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define NS_PER_MS INT64_C(1000000)
#define RAISE_AFTER_MS 500
#define MAX_IOPRIO 0xffff
/* Of pbs_file.direct_fd. */
#define NOT_OPENED (-1)
#define CANNOT_OPEN (-2)

struct pbs_volume {
	struct pbs_volume_info info;
	uint32_t raise_after_ms;
	struct pbs_target *target; /* with PBS_ACCESS_DEVICE */
	struct pbs_helper *helper; /* with PBS_ACCESS_HELPER */
	struct pbs_direct *direct; /* NULL: refused */
	atomic_uint_fast64_t cache;
	atomic_uint_fast64_t ncq;
	atomic_uint_fast64_t direct_reads;
	atomic_uint_fast64_t fallback[PBS_REASONS];
	atomic_uint_fast64_t raised;
	atomic_uint_fast64_t lowered;
	atomic_uint_fast64_t commands;
};

struct pbs_file {
	struct pbs_volume *volume;
	int fd;
	/* Whether an engine may read it. */
	bool regular;
	struct pbs_failure refused; /* why not */
	pthread_mutex_t lock; /* for direct_fd, until it is opened */
	atomic_int direct_fd;
	int direct_error;
	struct pbs_clean clean;
};

static void count(atomic_uint_fast64_t *counter, uint64_t more)
{
	if (more)
		atomic_fetch_add_explicit(counter, more, memory_order_relaxed);
}

static uint64_t counted(const atomic_uint_fast64_t *counter)
{
	return atomic_load_explicit(counter, memory_order_relaxed);
}

/* --- volumes ---------------------------------------------------------------------------------- */

void pbs_options_init(struct pbs_options *options)
{
	*options = (struct pbs_options){
		.access = PBS_ACCESS_AUTO,
		.raise_after_ms = RAISE_AFTER_MS,
		.in_flight = PBS_MAX_PIECES,
	};
}

static int check_options(const struct pbs_options *options, char *error)
{
	if (options->access < PBS_ACCESS_AUTO || options->access > PBS_ACCESS_HELPER) {
		snprintf(error, PBS_TEXT, "access=%d: allowed is 0 (auto) to 2 (helper)",
			 options->access);
		return -EINVAL;
	}
	if (options->in_flight < 1 || options->in_flight > PBS_MAX_PIECES) {
		snprintf(error, PBS_TEXT, "in_flight=%u: allowed is 1 to %d", options->in_flight,
			 PBS_MAX_PIECES);
		return -EINVAL;
	}
	if (options->access == PBS_ACCESS_HELPER && !options->helper) {
		snprintf(error, PBS_TEXT, "access=2 (helper): the helper's socket is missing");
		return -EINVAL;
	}
	return 0;
}

/* Gets the right to send commands: the process's own, or through the helper. */
static void gain_access(struct pbs_volume *volume, const struct pbs_options *options)
{
	struct pbs_volume_info *info = &volume->info;
	dev_t device = makedev((unsigned)info->device_major, (unsigned)info->device_minor);
	struct pbs_failure device_failure = {0};
	struct pbs_failure helper_failure = {0};

	info->access = PBS_ACCESS_NONE;
	if (info->ncq_refused[0])
		return;
	if (options->access != PBS_ACCESS_HELPER &&
	    pbs_target_open(info, options->in_flight, &volume->target, &device_failure) == 0)
		info->access = PBS_ACCESS_DEVICE;
	else if (options->access != PBS_ACCESS_DEVICE && options->helper &&
		 pbs_helper_open(options->helper, device, &volume->helper, &helper_failure) == 0)
		info->access = PBS_ACCESS_HELPER;
	else
		snprintf(info->ncq_refused, sizeof(info->ncq_refused), "%.120s%s%.120s",
			 device_failure.text,
			 device_failure.text[0] && helper_failure.text[0] ? "; " : "",
			 helper_failure.text);
}

static void gain_direct(struct pbs_volume *volume, const struct hprio_mount *mount)
{
	struct pbs_failure failure;

	if (strcmp(mount->type, "tmpfs") == 0 || strcmp(mount->type, "ramfs") == 0)
		snprintf(volume->info.direct_refused, PBS_TEXT, "%s is in memory, there is no disk",
			 mount->type);
	else if (pbs_direct_open(&volume->direct, &failure))
		snprintf(volume->info.direct_refused, PBS_TEXT, "%s", failure.text);
	volume->info.hints = volume->direct && pbs_direct_takes_hints(volume->direct);
}

/* Opens a file or directory; one that may not be read only as a path (O_PATH). */
static int open_path(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	return fd < 0 && errno == EACCES ? open(path, O_PATH | O_CLOEXEC) : fd;
}

static int look_below(const char *path, struct pbs_volume *volume,
		      const struct pbs_options *options, char *error)
{
	struct hprio_mount mount;
	struct stat status;
	int fd = open_path(path);

	if (fd < 0 || fstat(fd, &status)) {
		int number = errno;

		snprintf(error, PBS_TEXT, "%.150s: %s", path, strerror(number));
		if (fd >= 0)
			close(fd);
		return -number;
	}
	hprio_mount_of_file(fd, &mount);
	pbs_survey("/sys", "/proc", status.st_dev, &mount, &volume->info);
	gain_access(volume, options);
	/* Until here it keeps the file system mounted. */
	close(fd);
	gain_direct(volume, &mount);
	return 0;
}

int pbs_volume_open(const char *path, const struct pbs_options *options,
		    struct pbs_volume **volume, char *error)
{
	struct pbs_options defaults;
	char unwanted[PBS_TEXT];
	struct pbs_volume *made;
	int result;

	pbs_options_init(&defaults);
	if (!options)
		options = &defaults;
	if (!error)
		error = unwanted;
	result = check_options(options, error);
	if (result)
		return result;
	made = calloc(1, sizeof(*made));
	if (!made) {
		snprintf(error, PBS_TEXT, "no memory for a volume");
		return -ENOMEM;
	}
	made->raise_after_ms = options->raise_after_ms;
	result = look_below(path, made, options, error);
	if (result)
		free(made);
	else
		*volume = made;
	return result;
}

void pbs_volume_close(struct pbs_volume *volume)
{
	if (!volume)
		return;
	pbs_target_close(volume->target);
	pbs_helper_close(volume->helper);
	pbs_direct_close(volume->direct);
	free(volume);
}

void pbs_volume_info(const struct pbs_volume *volume, struct pbs_volume_info *info)
{
	*info = volume->info;
}

int pbs_volume_duration_limits(const struct pbs_volume *volume,
			       struct pbs_duration_limits *limits, char *error)
{
	const struct pbs_volume_info *info = &volume->info;
	struct pbs_failure failure;
	struct pbs_disk_info disk;
	struct pbs_cdl cdl;

	if (pbs_survey_disk("/sys",
			    makedev((unsigned)info->disk_major, (unsigned)info->disk_minor), &disk,
			    &failure) == 0 &&
	    pbs_cdl_read_drive(&disk, &cdl, &failure) == 0 &&
	    pbs_cdl_in_force(&cdl, limits, &failure) == 0)
		return 0;
	if (error)
		snprintf(error, PBS_TEXT, "%s", failure.text);
	return -1;
}

void pbs_volume_stats(const struct pbs_volume *volume, struct pbs_stats *stats)
{
	stats->cache = counted(&volume->cache);
	stats->ncq = counted(&volume->ncq);
	stats->direct = counted(&volume->direct_reads);
	for (size_t i = 0; i < PBS_REASONS; i++)
		stats->fallback[i] = counted(&volume->fallback[i]);
	stats->raised = counted(&volume->raised);
	stats->lowered = counted(&volume->lowered);
	stats->commands = counted(&volume->commands);
}

/* --- files ------------------------------------------------------------------------------------ */

int pbs_file_open(struct pbs_volume *volume, int32_t fd, struct pbs_file **file)
{
	struct pbs_file *made = calloc(1, sizeof(*made));

	if (!made)
		return -ENOMEM;
	made->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (made->fd < 0) {
		int number = errno;

		free(made);
		return -number;
	}
	made->volume = volume;
	made->regular = pbs_regular_file_check(made->fd, &made->refused) == 0;
	pthread_mutex_init(&made->lock, NULL);
	atomic_init(&made->direct_fd, NOT_OPENED);
	atomic_init(&made->clean.changed_ns, PBS_NEVER_CLEAN);
	*file = made;
	return 0;
}

void pbs_file_close(struct pbs_file *file)
{
	if (!file)
		return;
	if (atomic_load(&file->direct_fd) >= 0)
		close(atomic_load(&file->direct_fd));
	close(file->fd);
	pthread_mutex_destroy(&file->lock);
	free(file);
}

/* Opens the file again, with O_DIRECT: a duplicated descriptor would share its flags. */
static int direct_fd_of(struct pbs_file *file, struct pbs_failure *failure)
{
	char path[64];
	int fd = atomic_load(&file->direct_fd);

	if (fd == NOT_OPENED) {
		pthread_mutex_lock(&file->lock);
		fd = atomic_load(&file->direct_fd);
		if (fd == NOT_OPENED) {
			snprintf(path, sizeof(path), "/proc/self/fd/%d", file->fd);
			fd = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC);
			file->direct_error = fd < 0 ? errno : 0;
			atomic_store(&file->direct_fd, fd < 0 ? CANNOT_OPEN : fd);
		}
		pthread_mutex_unlock(&file->lock);
	}
	if (fd < 0)
		return pbs_fail(failure, PBS_REASON_DIRECT, "open with O_DIRECT: %s",
				strerror(file->direct_error));
	return fd;
}

/* --- reads ------------------------------------------------------------------------------------ */

/* A read in progress; its results are filled in at the end. */
struct reading {
	struct pbs_file *file;
	void *buffer;
	uint64_t length;
	uint64_t offset;
	struct pbs_served served;
	bool lowered;
	struct pbs_failure failure;
};

/* Reads with pread(2), repeatedly, because one call reads at most 2 GiB. */
static int64_t plain_read(const struct reading *reading)
{
	uint64_t done = 0;

	while (done < reading->length) {
		ssize_t some = pread(reading->file->fd, (char *)reading->buffer + done,
				     reading->length - done, (off_t)(reading->offset + done));

		if (some < 0 && errno == EINTR)
			continue;
		if (some < 0 && done == 0)
			return -errno;
		if (some <= 0)
			break;
		done += (uint64_t)some;
	}
	return (int64_t)done;
}

static void count_way(struct pbs_volume *volume, enum pbs_way way, enum pbs_reason reason)
{
	if (way == PBS_WAY_CACHE)
		count(&volume->cache, 1);
	else if (way == PBS_WAY_NCQ)
		count(&volume->ncq, 1);
	else if (way == PBS_WAY_DIRECT)
		count(&volume->direct_reads, 1);
	else
		count(&volume->fallback[reason], 1);
}

static void conclude(const struct reading *reading, enum pbs_way way, struct pbs_outcome *outcome)
{
	struct pbs_volume *volume = reading->file->volume;
	bool failed = way == PBS_WAY_FALLBACK || way == PBS_WAY_NOT_READ;

	count_way(volume, way, reading->failure.reason);
	count(&volume->raised, reading->served.raised);
	count(&volume->lowered, reading->lowered);
	count(&volume->commands, reading->served.commands);
	if (!outcome)
		return;
	outcome->way = way;
	outcome->reason = failed ? (int32_t)reading->failure.reason : PBS_REASON_NONE;
	outcome->raised = reading->served.raised;
	outcome->commands = (int32_t)reading->served.commands;
	snprintf(outcome->text, sizeof(outcome->text), "%s", failed ? reading->failure.text : "");
}

/*
 * Cuts the range at the file's end. Whether all of it is in the page cache, or nothing is left of it;
 * false for a descriptor that is not a regular file.
 */
static bool in_cache(struct reading *reading)
{
	const struct pbs_file *file = reading->file;
	int64_t within;

	if (!file->regular)
		return false;
	within = pbs_clip_to_file(file->fd, reading->offset, reading->length, &reading->failure);
	if (within < 0)
		return false;
	reading->length = (uint64_t)within;
	return pbs_resident(file->fd, reading->offset, reading->length);
}

static int64_t read_plainly(const struct reading *reading, enum pbs_way way,
			    struct pbs_outcome *outcome)
{
	conclude(reading, way, outcome);
	return plain_read(reading);
}

/*
 * Whether a write that has ended is not on the disk yet. To write it first would take longer than the caller may have.
 * The helper would have all of the file written; the range is asked for first, as that costs least.
 */
static int check_dirty(struct reading *reading, bool helped, struct pbs_order *order)
{
	int fd = reading->file->fd;
	enum pbs_dirty dirty = pbs_dirty(fd, reading->offset, reading->length);
	bool elsewhere = helped && dirty == PBS_DIRTY_NO;

	if (elsewhere)
		dirty = pbs_file_dirty(fd, &reading->file->clean);
	if (dirty == PBS_DIRTY_YES)
		return pbs_fail(&reading->failure, PBS_REASON_DIRTY,
				"a part of the %s is not on the disk yet", elsewhere ? "file" : "range");
	order->sync = dirty == PBS_DIRTY_UNKNOWN;
	return 0;
}

static int64_t from_drive(struct reading *reading, struct pbs_order *order)
{
	struct pbs_volume *volume = reading->file->volume;
	const struct pbs_volume_info *info = &volume->info;
	bool helped = info->access == PBS_ACCESS_HELPER;
	int fd = reading->file->fd;

	if (info->access == PBS_ACCESS_NONE)
		return pbs_fail(&reading->failure, PBS_REASON_VOLUME, "%s", info->ncq_refused);
	if (pbs_extent_file_check(
		    fd, makedev((unsigned)info->device_major, (unsigned)info->device_minor),
		    info->device, &reading->failure))
		return -1;
	if (check_dirty(reading, helped, order))
		return -1;
	if (!helped)
		return pbs_mapped_read(volume->target, fd, reading->buffer, reading->length,
				       reading->offset, order, &reading->served,
				       &reading->failure);
	return pbs_helper_read(volume->helper, fd, reading->buffer, reading->length,
			       reading->offset, order, &reading->served, &reading->failure);
}

int64_t pbs_read_ncq(struct pbs_file *file, void *buffer, int64_t length, int64_t offset,
		     int32_t level, uint32_t timeout_ms, struct pbs_outcome *outcome)
{
	struct reading reading = {
		.file = file,
		.buffer = buffer,
		.length = (uint64_t)length,
		.offset = (uint64_t)offset,
	};
	int64_t now = pbs_now();
	struct pbs_order order = {
		.level = (enum pbs_level)level,
		.deadline = timeout_ms ? now + timeout_ms * NS_PER_MS : 0,
		.raise_at = file->volume->raise_after_ms
				    ? now + file->volume->raise_after_ms * NS_PER_MS
				    : 0,
	};
	int64_t result;

	if (length < 0 || offset < 0 || length > INT64_MAX - offset || level < PBS_LEVEL_NORMAL ||
	    level > PBS_LEVEL_HIGH)
		return -EINVAL;
	if (in_cache(&reading))
		return read_plainly(&reading, PBS_WAY_CACHE, outcome);
	result = from_drive(&reading, &order);
	if (result < 0)
		return read_plainly(&reading, PBS_WAY_FALLBACK, outcome);
	conclude(&reading, PBS_WAY_NCQ, outcome);
	return result;
}

static int64_t from_file(struct reading *reading, uint16_t ioprio)
{
	struct pbs_volume *volume = reading->file->volume;
	int fd;

	if (!volume->direct)
		return pbs_fail(&reading->failure, PBS_REASON_VOLUME, "%s",
				volume->info.direct_refused);
	if (!reading->file->regular) {
		reading->failure = reading->file->refused;
		return -1;
	}
	fd = direct_fd_of(reading->file, &reading->failure);
	if (fd < 0)
		return -1;
	return pbs_direct_read(volume->direct, fd, reading->buffer, reading->length,
			       reading->offset, ioprio, &reading->lowered, &reading->failure);
}

int64_t pbs_read_direct(struct pbs_file *file, void *buffer, int64_t length, int64_t offset,
			int32_t ioprio, struct pbs_outcome *outcome)
{
	struct reading reading = {
		.file = file,
		.buffer = buffer,
		.length = (uint64_t)length,
		.offset = (uint64_t)offset,
	};
	int64_t result;

	if (length < 0 || offset < 0 || length > INT64_MAX - offset || ioprio < 0 ||
	    ioprio > MAX_IOPRIO)
		return -EINVAL;
	if (in_cache(&reading))
		return read_plainly(&reading, PBS_WAY_CACHE, outcome);
	result = from_file(&reading, (uint16_t)ioprio);
	if (result < 0 && reading.failure.reason == PBS_REASON_EXPIRED) {
		conclude(&reading, PBS_WAY_NOT_READ, outcome);
		return -ETIME;
	}
	if (result < 0)
		return read_plainly(&reading, PBS_WAY_FALLBACK, outcome);
	conclude(&reading, PBS_WAY_DIRECT, outcome);
	return result;
}
