// SPDX-License-Identifier: Apache-2.0
/*
 * What a reader asks the kernel before the helper reads for it. The helper has all of the file written that is
 * dirty, for which no timeout counts, so a read of such a file is not the helper's.
 */
#include "unit.h"

#include "helper_client.h"
#include "survey.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_cachestat
#define SYS_cachestat 451
#endif

#define BYTES (1 << 20)
#define READ_BYTES 4096
#define LONG_AGO_S 3600

/* Of include/uapi/linux/mman.h: how many pages of a range are cached, dirty and so on. */
#define COUNTS 5
#define DIRTY 1

static struct {
	uint64_t dirty_at; /* the only dirty byte; BYTES: none */
	unsigned asked_range;
	unsigned asked_file;
	unsigned reads; /* by the helper */
} fake;

static char path[64];
static struct pbs_volume *volume;
static struct pbs_file *file;

void __wrap_pbs_survey(const char *sysfs, const char *proc, dev_t device,
		       const struct hprio_mount *mount, struct pbs_volume_info *info);
int __wrap_pbs_helper_open(const char *socket, dev_t device, struct pbs_helper **helper,
			   struct pbs_failure *failure);
void __wrap_pbs_helper_close(struct pbs_helper *helper);
int64_t __wrap_pbs_helper_read(struct pbs_helper *helper, int fd, void *buffer, uint64_t length,
			       uint64_t offset, const struct pbs_order *order,
			       struct pbs_served *served, struct pbs_failure *failure);
int __wrap_pbs_extent_file_check(int fd, dev_t device, const char *name,
				 struct pbs_failure *failure);
long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);

void __wrap_pbs_survey(const char *sysfs, const char *proc, dev_t device,
		       const struct hprio_mount *mount, struct pbs_volume_info *info)
{
	(void)sysfs;
	(void)proc;
	(void)device;
	(void)mount;
	memset(info, 0, sizeof(*info));
}

int __wrap_pbs_helper_open(const char *socket, dev_t device, struct pbs_helper **helper,
			   struct pbs_failure *failure)
{
	(void)socket;
	(void)device;
	(void)failure;
	*helper = (struct pbs_helper *)&fake;
	return 0;
}

void __wrap_pbs_helper_close(struct pbs_helper *helper)
{
	(void)helper;
}

int64_t __wrap_pbs_helper_read(struct pbs_helper *helper, int fd, void *buffer, uint64_t length,
			       uint64_t offset, const struct pbs_order *order,
			       struct pbs_served *served, struct pbs_failure *failure)
{
	(void)helper;
	(void)fd;
	(void)buffer;
	(void)offset;
	(void)order;
	(void)served;
	(void)failure;
	fake.reads++;
	return (int64_t)length;
}

int __wrap_pbs_extent_file_check(int fd, dev_t device, const char *name,
				 struct pbs_failure *failure)
{
	(void)fd;
	(void)device;
	(void)name;
	(void)failure;
	return 0;
}

/* The kernel's cachestat of a file of which no page that is read is cached. */
static long cachestat(const uint64_t range[2], uint64_t counts[COUNTS])
{
	const bool to_the_end = range[1] == 0;

	memset(counts, 0, COUNTS * sizeof(counts[0]));
	if (to_the_end || range[1] >= BYTES)
		fake.asked_file++;
	else
		fake.asked_range++;
	counts[DIRTY] = fake.dirty_at < BYTES && fake.dirty_at >= range[0] &&
			(to_the_end || fake.dirty_at < range[0] + range[1]);
	return 0;
}

long __wrap_syscall(long number, ...)
{
	long argument[6];
	va_list arguments;

	va_start(arguments, number);
	for (size_t i = 0; i < COUNT(argument); i++)
		argument[i] = va_arg(arguments, long);
	va_end(arguments);
	if (number == SYS_cachestat)
		return cachestat((const uint64_t *)argument[1], (uint64_t *)argument[2]);
	return __real_syscall(number, argument[0], argument[1], argument[2], argument[3],
			      argument[4], argument[5]);
}

static void changed(time_t seconds_ago)
{
	const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT},
					  {.tv_sec = time(NULL) - seconds_ago}};

	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static int set_up(void **state)
{
	struct pbs_options options;
	int fd;

	(void)state;
	memset(&fake, 0, sizeof(fake));
	fake.dirty_at = BYTES;
	strcpy(path, "/tmp/test_helped.XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, BYTES), 0);
	changed(LONG_AGO_S);
	pbs_options_init(&options);
	options.access = PBS_ACCESS_HELPER;
	options.helper = "/nowhere";
	assert_int_equal(pbs_volume_open(path, &options, &volume, NULL), 0);
	assert_int_equal(pbs_file_open(volume, fd, &file), 0);
	close(fd);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	pbs_file_close(file);
	pbs_volume_close(volume);
	return unlink(path);
}

static struct pbs_outcome read_at(int64_t offset)
{
	char buffer[READ_BYTES];
	struct pbs_outcome outcome;

	assert_int_equal(pbs_read_ncq(file, buffer, sizeof(buffer), offset, PBS_LEVEL_HIGH, 0, &outcome),
			 READ_BYTES);
	return outcome;
}

static void assert_dirty(struct pbs_outcome outcome, const char *text)
{
	assert_int_equal(outcome.way, PBS_WAY_FALLBACK);
	assert_int_equal(outcome.reason, PBS_REASON_DIRTY);
	assert_non_null(strstr(outcome.text, text));
	assert_int_equal(fake.reads, 0);
}

static void a_dirty_range_needs_no_look_at_the_file(void **state)
{
	(void)state;
	fake.dirty_at = READ_BYTES + 1;
	assert_dirty(read_at(READ_BYTES), "of the range");
	assert_int_equal(fake.asked_file, 0);
}

static void what_is_dirty_elsewhere_keeps_the_helper_away_until_it_is_written(void **state)
{
	(void)state;
	fake.dirty_at = BYTES - 1;
	assert_dirty(read_at(0), "of the file");
	assert_dirty(read_at(READ_BYTES), "of the file");
	fake.dirty_at = BYTES;
	assert_int_equal(read_at(0).way, PBS_WAY_NCQ);
	assert_int_equal(fake.reads, 1);
}

/* It costs as much as the file has pages in the cache. */
static void a_file_that_was_clean_is_looked_at_again_when_it_has_changed(void **state)
{
	(void)state;
	for (int64_t i = 0; i < 10; i++)
		assert_int_equal(read_at(i * READ_BYTES).way, PBS_WAY_NCQ);
	assert_int_equal(fake.reads, 10);
	assert_int_equal(fake.asked_file, 1);
	assert_true(fake.asked_range >= 10);
	changed(LONG_AGO_S / 2);
	fake.reads = 0;
	fake.dirty_at = BYTES - 1;
	assert_dirty(read_at(0), "of the file");
}

/* The next change may have the same time. */
static void a_file_that_has_just_changed_is_looked_at_each_time(void **state)
{
	(void)state;
	changed(-LONG_AGO_S);
	for (int64_t i = 0; i < 3; i++)
		assert_int_equal(read_at(i * READ_BYTES).way, PBS_WAY_NCQ);
	assert_int_equal(fake.asked_file, 3);
}

int main(void)
{
#define WITH_FILE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		WITH_FILE(a_dirty_range_needs_no_look_at_the_file),
		WITH_FILE(what_is_dirty_elsewhere_keeps_the_helper_away_until_it_is_written),
		WITH_FILE(a_file_that_was_clean_is_looked_at_again_when_it_has_changed),
		WITH_FILE(a_file_that_has_just_changed_is_looked_at_each_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
