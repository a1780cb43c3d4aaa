// SPDX-License-Identifier: Apache-2.0
/*
 * Reads random files at random places while others append to them, cut them, delete them and make
 * them anew, and write holes and unwritten blocks. Each byte of a file is a function of the file and
 * its place, so each byte that is read can be judged:
 *
 *   concurrent_reads DIRECTORY READS ENGINE [HELPER]
 *
 * ENGINE is ncq or direct. Prints how the reads went, and fails if one byte was wrong or missing, or
 * no read was done by the engine.
 */
#include "hprio_pbs.h"

#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILES 12
#define READERS 6
#define CHANGERS 2
#define FILE_BYTES (3u << 20)
#define READ_BYTES (256u << 10)
#define APPEND_BYTES (128u << 10)
#define READS_PER_OPENING 8

struct file {
	pthread_mutex_t lock; /* for who changes it, and while it is opened */
	char path[256];
	uint64_t identity; /* another one for each file that is made */
	atomic_uint cuts;  /* before and after each one, so it is odd while the file is cut */
};

struct test {
	struct file file[FILES];
	struct pbs_volume *volume;
	bool direct;
	atomic_uint_fast64_t next_identity;
	atomic_long reads_left;
	atomic_bool failed;
	atomic_bool done;
};

struct thread {
	pthread_t thread;
	struct test *test;
	uint64_t random;
};

static uint64_t mix(uint64_t number)
{
	number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
	return number ^ number >> 31;
}

static uint64_t next(struct thread *thread, uint64_t limit)
{
	thread->random += UINT64_C(0x9e3779b97f4a7c15);
	return mix(thread->random) % limit;
}

/* The low bit is set: no byte is 0, so a hole is told from data. */
static unsigned char byte_at(uint64_t identity, uint64_t offset)
{
	return (unsigned char)(mix(identity << 32 ^ offset / 8) >> (offset % 8 * 8)) | 1;
}

/* --- those who change files ------------------------------------------------------------------- */

static void append(struct thread *thread, struct file *file, int fd)
{
	static _Thread_local unsigned char bytes[APPEND_BYTES];
	uint64_t count = 1 + next(thread, APPEND_BYTES);
	struct stat status;

	if (fstat(fd, &status) || status.st_size > FILE_BYTES)
		return;
	for (uint64_t i = 0; i < count; i++)
		bytes[i] = byte_at(file->identity, (uint64_t)status.st_size + i);
	if (pwrite(fd, bytes, count, status.st_size) != (ssize_t)count)
		err(EXIT_FAILURE, "%s: append", file->path);
}

static void cut(struct thread *thread, struct file *file, int fd)
{
	struct stat status;

	if (fstat(fd, &status) || status.st_size == 0)
		return;
	atomic_fetch_add(&file->cuts, 1);
	if (ftruncate(fd, (off_t)next(thread, (uint64_t)status.st_size)))
		err(EXIT_FAILURE, "%s: ftruncate", file->path);
	atomic_fetch_add(&file->cuts, 1);
}

/* Blocks behind the end that are allocated but not written: later appended data goes there. */
static void allocate(struct thread *thread, int fd)
{
	struct stat status;

	if (fstat(fd, &status) == 0)
		fallocate(fd, FALLOC_FL_KEEP_SIZE, status.st_size, 1 + (off_t)next(thread, 1u << 20));
}

static void make_anew(struct test *test, struct file *file)
{
	int fd;

	unlink(file->path);
	file->identity = atomic_fetch_add(&test->next_identity, 1);
	fd = open(file->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		err(EXIT_FAILURE, "%s", file->path);
	close(fd);
}

static void change(struct thread *thread, struct file *file)
{
	int fd = open(file->path, O_WRONLY | O_CLOEXEC);
	uint64_t what = next(thread, 100);

	if (fd < 0)
		err(EXIT_FAILURE, "%s", file->path);
	if (what < 60)
		append(thread, file, fd);
	else if (what < 70)
		cut(thread, file, fd);
	else if (what < 75)
		allocate(thread, fd);
	else if (what < 95)
		fdatasync(fd);
	else
		make_anew(thread->test, file);
	close(fd);
}

static void *change_files(void *argument)
{
	struct thread *thread = argument;
	struct test *test = thread->test;

	while (!atomic_load(&test->done)) {
		struct file *file = &test->file[next(thread, FILES)];

		pthread_mutex_lock(&file->lock);
		change(thread, file);
		pthread_mutex_unlock(&file->lock);
		usleep(1000);
	}
	return NULL;
}

/* --- those who read --------------------------------------------------------------------------- */

/* A reader beside truncate(2) may see a cut page's zeros, with pread(2), too. */
static bool right(const unsigned char *bytes, int64_t count, uint64_t identity, uint64_t offset,
		  bool was_cut)
{
	for (int64_t i = 0; i < count; i++)
		if (bytes[i] != byte_at(identity, offset + (uint64_t)i) &&
		    !(was_cut && bytes[i] == 0)) {
			warnx("file %" PRIu64 ", byte %" PRIu64 " is %02x and not %02x%s", identity,
			      offset + (uint64_t)i, bytes[i],
			      byte_at(identity, offset + (uint64_t)i), was_cut ? ", was cut" : "");
			return false;
		}
	return true;
}

static int64_t present(int fd, uint64_t offset, uint64_t length)
{
	struct stat status;

	if (fstat(fd, &status))
		err(EXIT_FAILURE, "fstat");
	if ((uint64_t)status.st_size <= offset)
		return 0;
	length = (uint64_t)status.st_size - offset < length ? (uint64_t)status.st_size - offset : length;
	return (int64_t)length;
}

/* Mostly within the file. */
static uint64_t place(struct thread *thread, int fd)
{
	struct stat status;

	if (fstat(fd, &status))
		err(EXIT_FAILURE, "fstat");
	return next(thread, (uint64_t)status.st_size + READ_BYTES / 8);
}

static bool read_once(struct thread *thread, struct file *file, struct pbs_file *handle, int fd,
		      uint64_t identity)
{
	static _Thread_local unsigned char buffer[READ_BYTES + 1];
	bool aligned = next(thread, 2);
	uint64_t offset = place(thread, fd) & (aligned ? ~UINT64_C(4095) : ~UINT64_C(0));
	uint64_t length = aligned ? 65536 : 1 + next(thread, READ_BYTES);
	unsigned cuts = atomic_load(&file->cuts);
	int64_t before = present(fd, offset, length);
	bool was_cut;
	int64_t count;

	buffer[length] = 0;
	if (thread->test->direct)
		count = pbs_read_direct(handle, buffer, (int64_t)length, (int64_t)offset, 0, NULL);
	else
		count = pbs_read_ncq(handle, buffer, (int64_t)length, (int64_t)offset,
				     (int32_t)next(thread, 2), 0, NULL);
	was_cut = cuts % 2 || cuts != atomic_load(&file->cuts);
	if (count < 0 || buffer[length]) {
		warnx("read: %" PRId64, count);
		return false;
	}
	if (!was_cut && count < before) {
		warnx("%" PRId64 " bytes of %" PRId64 " were read", count, before);
		return false;
	}
	return right(buffer, count, identity, offset, was_cut);
}

static void read_one_file(struct thread *thread, struct file *file)
{
	struct test *test = thread->test;
	struct pbs_file *handle;
	uint64_t identity;
	int fd;

	pthread_mutex_lock(&file->lock);
	identity = file->identity;
	fd = open(file->path, O_RDONLY | O_CLOEXEC);
	pthread_mutex_unlock(&file->lock);
	if (fd < 0 || pbs_file_open(test->volume, fd, &handle))
		err(EXIT_FAILURE, "%s", file->path);
	for (int i = 0; i < READS_PER_OPENING; i++) {
		/* Only what is clean goes. */
		if (next(thread, 2))
			fdatasync(fd);
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		if (!read_once(thread, file, handle, fd, identity))
			atomic_store(&test->failed, true);
	}
	pbs_file_close(handle);
	close(fd);
}

static void *read_files(void *argument)
{
	struct thread *thread = argument;
	struct test *test = thread->test;

	while (atomic_fetch_sub(&test->reads_left, READS_PER_OPENING) > 0 &&
	       !atomic_load(&test->failed))
		read_one_file(thread, &test->file[next(thread, FILES)]);
	return NULL;
}

/* --- the test --------------------------------------------------------------------------------- */

static void start(struct thread *threads, unsigned count, struct test *test, unsigned seed,
		  void *(*run)(void *))
{
	for (unsigned i = 0; i < count; i++) {
		threads[i].test = test;
		threads[i].random = mix(seed + i);
		if (pthread_create(&threads[i].thread, NULL, run, &threads[i]))
			errx(EXIT_FAILURE, "no thread");
	}
}

static void join(const struct thread *threads, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		pthread_join(threads[i].thread, NULL);
}

static int report(const struct test *test)
{
	struct pbs_stats stats;
	uint64_t by_engine;

	pbs_volume_stats(test->volume, &stats);
	by_engine = test->direct ? stats.direct : stats.ncq;
	printf("cache %" PRIu64 ", ncq %" PRIu64 ", direct %" PRIu64 ", commands %" PRIu64
	       ", raised %" PRIu64,
	       stats.cache, stats.ncq, stats.direct, stats.commands, stats.raised);
	for (int i = 0; i < PBS_REASONS; i++)
		if (stats.fallback[i])
			printf(", %s %" PRIu64, pbs_reason_name(i), stats.fallback[i]);
	puts("");
	if (by_engine == 0)
		warnx("no read was done by the engine");
	return atomic_load(&test->failed) || by_engine == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	static struct test test;
	struct thread readers[READERS];
	struct thread changers[CHANGERS];
	struct pbs_options options;
	char error[PBS_TEXT];

	if (argc < 4)
		errx(2, "usage: concurrent_reads DIRECTORY READS ENGINE [HELPER]");
	test.direct = strcmp(argv[3], "direct") == 0;
	atomic_store(&test.reads_left, atol(argv[2]));
	atomic_store(&test.next_identity, 1);
	pbs_options_init(&options);
	options.helper = argv[4];
	options.access = argv[4] ? PBS_ACCESS_HELPER : PBS_ACCESS_AUTO;
	options.raise_after_ms = 20;
	if (pbs_volume_open(argv[1], &options, &test.volume, error))
		errx(EXIT_FAILURE, "%s", error);
	for (unsigned i = 0; i < FILES; i++) {
		pthread_mutex_init(&test.file[i].lock, NULL);
		snprintf(test.file[i].path, sizeof(test.file[i].path), "%.200s/file%u", argv[1], i);
		make_anew(&test, &test.file[i]);
	}
	start(changers, CHANGERS, &test, 1, change_files);
	usleep(500000);
	start(readers, READERS, &test, 1000, read_files);
	join(readers, READERS);
	atomic_store(&test.done, true);
	join(changers, CHANGERS);
	return report(&test);
}
