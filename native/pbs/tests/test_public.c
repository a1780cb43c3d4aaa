// SPDX-License-Identifier: Apache-2.0
/* The public functions where no disk can be reached: a read gives what pread(2) gives. */
#include "unit.h"

#include "hprio_pbs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BYTES 10000

static char path[64];
static unsigned char content[BYTES];

static int make_file(void **state)
{
	int fd;

	(void)state;
	strcpy(path, "/tmp/test_public.XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	for (size_t i = 0; i < BYTES; i++)
		content[i] = (unsigned char)(i * 7 + i / 256);
	assert_int_equal(write(fd, content, BYTES), BYTES);
	assert_int_equal(fsync(fd), 0);
	close(fd);
	return 0;
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

static struct pbs_volume *open_volume(void)
{
	struct pbs_volume *volume;
	char error[PBS_TEXT];

	assert_int_equal(pbs_volume_open(path, NULL, &volume, error), 0);
	return volume;
}

static struct pbs_file *open_file(struct pbs_volume *volume, int flags)
{
	int fd = open(path, flags | O_CLOEXEC);
	struct pbs_file *file;

	assert_true(fd >= 0);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	assert_int_equal(pbs_file_open(volume, fd, &file), 0);
	close(fd);
	return file;
}

static void both_engines_give_what_pread_gives(void **state)
{
	static const struct {
		int64_t offset;
		int64_t length;
		int64_t wanted;
	} cases[] = {
		{0, BYTES, BYTES}, {0, 2 * BYTES, BYTES},     {1, 1, 1},   {4095, 2, 2},
		{4096, 4096, 4096}, {BYTES - 1, 100, 1},       {BYTES, 1, 0}, {BYTES + 5000, 1, 0},
		{0, 0, 0},
	};
	struct pbs_volume *volume = open_volume();
	struct pbs_file *file = open_file(volume, O_RDONLY);
	unsigned char buffer[2 * BYTES];

	(void)state;
	for (size_t i = 0; i < 2 * COUNT(cases); i++) {
		int64_t offset = cases[i / 2].offset;
		struct pbs_outcome outcome;
		int64_t count;

		memset(buffer, 0xee, sizeof(buffer));
		if (i % 2)
			count = pbs_read_direct(file, buffer, cases[i / 2].length, offset, 0, &outcome);
		else
			count = pbs_read_ncq(file, buffer, cases[i / 2].length, offset,
					     PBS_LEVEL_HIGH, 0, NULL);
		assert_int_equal(count, cases[i / 2].wanted);
		assert_memory_equal(buffer, content + offset, (size_t)count);
		assert_int_equal(buffer[count], 0xee);
	}
	pbs_file_close(file);
	pbs_volume_close(volume);
}

static void errors_are_those_of_pread(void **state)
{
	struct pbs_volume *volume = open_volume();
	struct pbs_outcome outcome;
	struct pbs_file *file;
	char buffer[16];
	int ends[2];
	int directory = open("/tmp", O_RDONLY | O_DIRECTORY);

	(void)state;
	file = open_file(volume, O_WRONLY);
	assert_int_equal(pbs_read_ncq(file, buffer, 16, 0, PBS_LEVEL_HIGH, 0, &outcome), -EBADF);
	assert_int_equal(pbs_read_direct(file, buffer, 16, 0, 0, &outcome), -EBADF);
	assert_int_equal(outcome.way, PBS_WAY_FALLBACK);
	assert_int_equal(outcome.reason, PBS_REASON_FILE);
	pbs_file_close(file);
	assert_int_equal(pbs_file_open(volume, directory, &file), 0);
	assert_int_equal(pbs_read_direct(file, buffer, 16, 0, 0, NULL), -EISDIR);
	pbs_file_close(file);
	close(directory);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(pbs_file_open(volume, ends[0], &file), 0);
	assert_int_equal(pbs_read_direct(file, buffer, 16, 0, 0, NULL), -ESPIPE);
	pbs_file_close(file);
	close(ends[0]);
	close(ends[1]);
	assert_int_equal(pbs_file_open(volume, -1, &file), -EBADF);
	pbs_volume_close(volume);
}

static void bad_arguments_are_refused(void **state)
{
	struct pbs_volume *volume = open_volume();
	struct pbs_file *file = open_file(volume, O_RDONLY);
	struct pbs_options options;
	struct pbs_volume *other;
	char error[PBS_TEXT];
	char buffer[16];

	(void)state;
	assert_int_equal(pbs_read_ncq(file, buffer, -1, 0, 0, 0, NULL), -EINVAL);
	assert_int_equal(pbs_read_ncq(file, buffer, 1, -1, 0, 0, NULL), -EINVAL);
	assert_int_equal(pbs_read_ncq(file, buffer, 1, 0, 2, 0, NULL), -EINVAL);
	assert_int_equal(pbs_read_ncq(file, buffer, 1, 0, -1, 0, NULL), -EINVAL);
	assert_int_equal(pbs_read_direct(file, buffer, 1, 0, 0x10000, NULL), -EINVAL);
	assert_int_equal(pbs_read_direct(file, buffer, 1, INT64_MAX, 0, NULL), -EINVAL);
	pbs_file_close(file);
	pbs_volume_close(volume);

	assert_int_equal(pbs_volume_open("/nonexistent", NULL, &other, error), -ENOENT);
	assert_non_null(strstr(error, "/nonexistent"));
	pbs_options_init(&options);
	options.in_flight = 33;
	assert_int_equal(pbs_volume_open(path, &options, &other, error), -EINVAL);
	assert_non_null(strstr(error, "in_flight=33"));
	pbs_options_init(&options);
	options.access = 3;
	assert_int_equal(pbs_volume_open(path, &options, &other, error), -EINVAL);
	assert_non_null(strstr(error, "access=3"));
}

static void each_read_is_counted_once(void **state)
{
	struct pbs_volume *volume = open_volume();
	struct pbs_file *file = open_file(volume, O_RDONLY);
	struct pbs_stats stats;
	uint64_t sum;
	char buffer[16];

	(void)state;
	for (int i = 0; i < 10; i++) {
		pbs_read_ncq(file, buffer, 16, i * 1000, PBS_LEVEL_NORMAL, 0, NULL);
		pbs_read_direct(file, buffer, 16, i * 1000, 0, NULL);
	}
	pbs_volume_stats(volume, &stats);
	sum = stats.cache + stats.ncq + stats.direct;
	for (size_t i = 0; i < PBS_REASONS; i++)
		sum += stats.fallback[i];
	assert_int_equal(sum, 20);
	pbs_file_close(file);
	pbs_volume_close(volume);
}

static void a_volume_without_a_drive_tells_no_limits(void **state)
{
	struct pbs_volume *volume = open_volume();
	struct pbs_duration_limits limits;
	struct pbs_volume_info info;
	char error[PBS_TEXT] = "";

	(void)state;
	pbs_volume_info(volume, &info);
	if (info.cdl_enabled < 0) {
		assert_int_equal(pbs_volume_duration_limits(volume, &limits, error), -1);
		assert_string_not_equal(error, "");
		assert_int_equal(pbs_volume_duration_limits(volume, &limits, NULL), -1);
	}
	pbs_volume_close(volume);
}

static void numbers_have_names(void **state)
{
	(void)state;
	for (int32_t i = 0; i < PBS_REASONS; i++)
		assert_string_not_equal(pbs_reason_name(i), "?");
	assert_string_equal(pbs_reason_name(PBS_REASONS), "?");
	assert_string_equal(pbs_reason_name(-1), "?");
	assert_string_equal(pbs_way_name(PBS_WAY_FALLBACK), "fallback");
	assert_string_equal(pbs_way_name(PBS_WAY_NOT_READ), "not-read");
	assert_string_equal(pbs_level_name(PBS_LEVEL_HIGH), "high");
	assert_string_equal(pbs_access_name(PBS_ACCESS_NONE), "none");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_engines_give_what_pread_gives),
		cmocka_unit_test(errors_are_those_of_pread),
		cmocka_unit_test(bad_arguments_are_refused),
		cmocka_unit_test(each_read_is_counted_once),
		cmocka_unit_test(a_volume_without_a_drive_tells_no_limits),
		cmocka_unit_test(numbers_have_names),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
