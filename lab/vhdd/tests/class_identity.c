// SPDX-License-Identifier: Apache-2.0
/*
 * Does I/O of all kinds to a vhdd, each kind at a class of its own in a region of its own, and
 * compares with the classes that the daemon has seen in each region. Twice, with the kinds at other
 * regions the second time: a priority that stayed from before would then be a wrong one.
 *
 * Usage: class_identity DEVICE CONTROL_SOCKET; needs root and a disk with delays off.
 */
#include "control.h"
#include "ioprio.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/fs.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define IOPRIO_WHO_PROCESS 1
#define CALL_MS 5000
#define ROUNDS 2
#define MIN_REQUESTS 100000

#define BLOCK 4096u
#define LARGE (1u << 20)
#define AIO_DEPTH 32

/* Where one kind of I/O goes. */
struct area {
	const char *device;
	uint64_t start;
	uint64_t bytes;
	unsigned int seed;
};

struct kind {
	const char *name;
	enum hprio_ioprio_class class; /* of the requests */
	enum hprio_ioprio_class thread; /* of the thread that issues them */
	void (*run)(const struct kind *kind, const struct area *area);
};

static char *aligned_buffer(size_t size)
{
	char *buffer;

	if (posix_memalign((void **)&buffer, BLOCK, size))
		errx(EXIT_FAILURE, "out of memory");
	memset(buffer, 0x5a, size);
	return buffer;
}

static int open_device(const struct area *area, int flags)
{
	int file = open(area->device, O_RDWR | O_CLOEXEC | flags);

	if (file < 0)
		err(EXIT_FAILURE, "%s", area->device);
	return file;
}

static uint64_t random_offset(const struct area *area, unsigned int *seed, uint32_t length)
{
	uint64_t blocks = (area->bytes - length) / BLOCK;

	return area->start + (uint64_t)rand_r(seed) % blocks * BLOCK;
}

static void require_all(ssize_t done, size_t wanted, const char *what)
{
	if (done < 0)
		err(EXIT_FAILURE, "%s", what);
	if ((size_t)done != wanted)
		errx(EXIT_FAILURE, "%s: %zd of %zu bytes", what, done, wanted);
}

static void direct_reads(const struct kind *kind, const struct area *area)
{
	char *buffer = aligned_buffer(128 * 1024);
	int file = open_device(area, O_DIRECT);
	unsigned int seed = area->seed;

	for (int i = 0; i < 5000; i++) {
		uint32_t length = BLOCK << rand_r(&seed) % 4;

		require_all(pread(file, buffer, length,
				  (off_t)random_offset(area, &seed, length)),
			    length, kind->name);
	}
	close(file);
	free(buffer);
}

static void direct_writes(const struct kind *kind, const struct area *area)
{
	char *buffer = aligned_buffer(BLOCK);
	int file = open_device(area, O_DIRECT);
	unsigned int seed = area->seed;

	for (int i = 0; i < 5000; i++)
		require_all(pwrite(file, buffer, BLOCK, (off_t)random_offset(area, &seed, BLOCK)),
			    BLOCK, kind->name);
	close(file);
	free(buffer);
}

/* Not aligned to pages in memory, so that FUSE has to split what the block layer issues. */
static void large_reads(const struct kind *kind, const struct area *area)
{
	char *buffer = aligned_buffer(LARGE + BLOCK);
	int file = open_device(area, O_DIRECT);
	unsigned int seed = area->seed;

	for (int i = 0; i < 300; i++)
		require_all(pread(file, buffer + 512, LARGE,
				  (off_t)random_offset(area, &seed, LARGE)),
			    LARGE, kind->name);
	close(file);
	free(buffer);
}

/* Each pass from the disk: the pages of the one before are dropped. */
static void buffered_random(const struct kind *kind, const struct area *area)
{
	char *buffer = aligned_buffer(BLOCK);
	int file = open_device(area, 0);
	unsigned int seed = area->seed;

	posix_fadvise(file, 0, 0, POSIX_FADV_RANDOM);
	for (int i = 0; i < 5000; i++) {
		off_t offset = (off_t)random_offset(area, &seed, BLOCK);

		posix_fadvise(file, offset, BLOCK, POSIX_FADV_DONTNEED);
		require_all(pread(file, buffer, BLOCK, offset), BLOCK, kind->name);
	}
	close(file);
	free(buffer);
}

/* How far before an area's end to stop: the kernel is at most two windows ahead of a reader. */
static uint64_t read_ahead_margin(int file, const struct area *area)
{
	long sectors;
	uint64_t margin;

	if (ioctl(file, BLKRAGET, &sectors))
		err(EXIT_FAILURE, "%s: BLKRAGET", area->device);
	margin = 2 * (uint64_t)sectors * 512 + LARGE;
	if (margin + LARGE > area->bytes)
		errx(EXIT_FAILURE, "a read-ahead of %ld sectors does not fit into an area of %ju bytes",
		     sectors, (uintmax_t)area->bytes);
	return margin;
}

/* Through the kernel's read-ahead, which must not reach into the next area. */
static void buffered_sequential(const struct kind *kind, const struct area *area)
{
	char *buffer = aligned_buffer(LARGE);
	int file = open_device(area, 0);
	uint64_t margin = read_ahead_margin(file, area);

	for (int pass = 0; pass < 4; pass++) {
		posix_fadvise(file, (off_t)area->start, (off_t)area->bytes, POSIX_FADV_DONTNEED);
		for (uint64_t at = 0; at + LARGE + margin <= area->bytes; at += LARGE)
			require_all(pread(file, buffer, LARGE, (off_t)(area->start + at)), LARGE,
				    kind->name);
	}
	close(file);
	free(buffer);
}

static void submit_batch(aio_context_t context, struct iocb *requests, const struct kind *kind)
{
	struct iocb *pointers[AIO_DEPTH];
	struct io_event events[AIO_DEPTH];

	for (int i = 0; i < AIO_DEPTH; i++)
		pointers[i] = &requests[i];
	if (syscall(SYS_io_submit, context, AIO_DEPTH, pointers) != AIO_DEPTH ||
	    syscall(SYS_io_getevents, context, AIO_DEPTH, AIO_DEPTH, events, NULL) != AIO_DEPTH)
		err(EXIT_FAILURE, "%s", kind->name);
	for (int i = 0; i < AIO_DEPTH; i++)
		require_all((ssize_t)events[i].res, requests[i].aio_nbytes, kind->name);
}

/* Batches with a priority per request; consecutive ones are merged when adjacent is set. */
static void asynchronous(const struct kind *kind, const struct area *area, int opcode,
			 bool adjacent)
{
	char *buffer = aligned_buffer(BLOCK * AIO_DEPTH);
	int file = open_device(area, O_DIRECT);
	struct iocb requests[AIO_DEPTH];
	aio_context_t context = 0;
	unsigned int seed = area->seed;

	if (syscall(SYS_io_setup, AIO_DEPTH, &context))
		err(EXIT_FAILURE, "io_setup");
	for (int batch = 0; batch < 300; batch++) {
		uint64_t start = random_offset(area, &seed, BLOCK * AIO_DEPTH);

		memset(requests, 0, sizeof(requests));
		for (unsigned int i = 0; i < AIO_DEPTH; i++) {
			requests[i].aio_lio_opcode = (__u16)opcode;
			requests[i].aio_fildes = (__u32)file;
			requests[i].aio_buf = (uintptr_t)(buffer + i * BLOCK);
			requests[i].aio_nbytes = BLOCK;
			requests[i].aio_offset =
				(__s64)(adjacent ? start + i * BLOCK
						 : random_offset(area, &seed, BLOCK));
			requests[i].aio_flags = IOCB_FLAG_IOPRIO;
			requests[i].aio_reqprio = (__s16)hprio_ioprio_make(kind->class, i % 8, 0);
			/* Requests merge only when their priorities are the same. */
			if (adjacent)
				requests[i].aio_reqprio =
					(__s16)hprio_ioprio_make(kind->class, 0, 0);
		}
		submit_batch(context, requests, kind);
	}
	syscall(SYS_io_destroy, context);
	close(file);
	free(buffer);
}

static void aio_reads(const struct kind *kind, const struct area *area)
{
	asynchronous(kind, area, IOCB_CMD_PREAD, false);
}

static void aio_merged_reads(const struct kind *kind, const struct area *area)
{
	asynchronous(kind, area, IOCB_CMD_PREAD, true);
}

static void aio_merged_writes(const struct kind *kind, const struct area *area)
{
	asynchronous(kind, area, IOCB_CMD_PWRITE, true);
}

static const struct kind kinds[] = {
	{"direct reads, rt", HPRIO_CLASS_RT, HPRIO_CLASS_RT, direct_reads},
	{"direct reads, be", HPRIO_CLASS_BE, HPRIO_CLASS_BE, direct_reads},
	{"direct reads, idle", HPRIO_CLASS_IDLE, HPRIO_CLASS_IDLE, direct_reads},
	/* The block layer makes best effort of no priority. */
	{"direct reads, none", HPRIO_CLASS_BE, HPRIO_CLASS_NONE, direct_reads},
	{"direct writes, rt", HPRIO_CLASS_RT, HPRIO_CLASS_RT, direct_writes},
	{"direct writes, idle", HPRIO_CLASS_IDLE, HPRIO_CLASS_IDLE, direct_writes},
	{"large reads, rt", HPRIO_CLASS_RT, HPRIO_CLASS_RT, large_reads},
	{"large reads, idle", HPRIO_CLASS_IDLE, HPRIO_CLASS_IDLE, large_reads},
	{"buffered random reads, rt", HPRIO_CLASS_RT, HPRIO_CLASS_RT, buffered_random},
	{"buffered random reads, idle", HPRIO_CLASS_IDLE, HPRIO_CLASS_IDLE, buffered_random},
	{"buffered sequential reads, rt", HPRIO_CLASS_RT, HPRIO_CLASS_RT, buffered_sequential},
	{"buffered sequential reads, idle", HPRIO_CLASS_IDLE, HPRIO_CLASS_IDLE, buffered_sequential},
	{"per-request reads, rt by an idle thread", HPRIO_CLASS_RT, HPRIO_CLASS_IDLE, aio_reads},
	{"per-request reads, idle by an rt thread", HPRIO_CLASS_IDLE, HPRIO_CLASS_RT, aio_reads},
	{"merged reads, rt", HPRIO_CLASS_RT, HPRIO_CLASS_BE, aio_merged_reads},
	{"merged reads, idle", HPRIO_CLASS_IDLE, HPRIO_CLASS_BE, aio_merged_reads},
	{"merged writes, rt", HPRIO_CLASS_RT, HPRIO_CLASS_BE, aio_merged_writes},
	{"merged writes, be", HPRIO_CLASS_BE, HPRIO_CLASS_IDLE, aio_merged_writes},
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* The first and the last region are left to programs that look for filesystems and partitions. */
#define REGIONS (KINDS + 2)

struct job {
	pthread_t thread;
	const struct kind *kind;
	struct area area;
};

static size_t region_of(size_t kind, int round)
{
	return 1 + (kind + (size_t)round) % KINDS;
}

static void *run_job(void *argument)
{
	const struct job *job = argument;

	if (syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0,
		    hprio_ioprio_make(job->kind->thread, 0, 0)))
		err(EXIT_FAILURE, "ioprio_set");
	job->kind->run(job->kind, &job->area);
	return NULL;
}

static void run_all(const char *device, uint64_t size, int round)
{
	struct job jobs[KINDS];

	for (size_t i = 0; i < KINDS; i++) {
		jobs[i].kind = &kinds[i];
		jobs[i].area.device = device;
		jobs[i].area.bytes = size / REGIONS / BLOCK * BLOCK - BLOCK;
		/* Up to the next block, as regions need not begin at one. */
		jobs[i].area.start =
			(size / REGIONS * region_of(i, round) + BLOCK - 1) / BLOCK * BLOCK;
		jobs[i].area.seed = (unsigned int)(i * ROUNDS) + (unsigned int)round;
		if (pthread_create(&jobs[i].thread, NULL, run_job, &jobs[i]))
			err(EXIT_FAILURE, "thread");
	}
	for (size_t i = 0; i < KINDS; i++)
		pthread_join(jobs[i].thread, NULL);
}

static json_t *ask(const char *socket, json_t *request)
{
	json_t *reply = vhdd_control_call(socket, request, CALL_MS);

	if (!reply)
		err(EXIT_FAILURE, "%s", socket);
	if (!json_is_true(json_object_get(reply, "ok")))
		errx(EXIT_FAILURE, "%s", json_string_value(json_object_get(reply, "error")));
	return reply;
}

static json_int_t count_of(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

/* Prints what was seen of one kind; returns the requests of another class. */
static json_int_t compare(const struct kind *kind, const json_t *seen, json_int_t *requests)
{
	static const char *const names[] = {"none", "rt", "be", "idle"};
	json_int_t wrong = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		*requests += count_of(seen, names[i]);
		if (i == kind->class || count_of(seen, names[i]) == 0)
			continue;
		printf("WRONG: %jd requests of class %s:\n", (intmax_t)count_of(seen, names[i]),
		       names[i]);
		wrong += count_of(seen, names[i]);
	}
	printf("%-42s %-4s %8jd requests, %jd of another class\n", kind->name, names[kind->class],
	       (intmax_t)count_of(seen, names[kind->class]), (intmax_t)wrong);
	if (count_of(seen, names[kind->class]) == 0)
		errx(EXIT_FAILURE, "no request of this kind came to the disk");
	return wrong;
}

int main(int argc, char **argv)
{
	json_int_t requests = 0;
	json_int_t missing = 0;
	json_int_t wrong = 0;
	char regions[32];
	uint64_t size;
	int device;

	if (argc != 3)
		errx(EXIT_FAILURE, "usage: class_identity DEVICE CONTROL_SOCKET");
	device = open(argv[1], O_RDONLY | O_CLOEXEC);
	if (device < 0 || ioctl(device, BLKGETSIZE64, &size))
		err(EXIT_FAILURE, "%s", argv[1]);
	close(device);
	snprintf(regions, sizeof(regions), "regions=%zu", REGIONS);
	for (int round = 0; round < ROUNDS; round++) {
		const json_t *priorities;
		json_t *stats;

		json_decref(ask(argv[2], json_pack("{s:s, s:[s]}", "operation", "set",
						   "assignments", regions)));
		json_decref(ask(argv[2],
				json_pack("{s:s, s:b}", "operation", "stats", "reset", 1)));
		run_all(argv[1], size, round);
		stats = ask(argv[2], json_pack("{s:s}", "operation", "stats"));
		for (size_t i = 0; i < KINDS; i++)
			wrong += compare(&kinds[i],
					 json_array_get(json_object_get(stats, "regions"),
							region_of(i, round)),
					 &requests);
		priorities = json_object_get(stats, "priorities");
		printf("continued %jd\n", (intmax_t)count_of(priorities, "continued"));
		missing += count_of(priorities, "missing") + count_of(priorities, "lost");
		wrong += count_of(priorities, "wrong");
		json_decref(stats);
	}
	printf("%jd requests, %jd without a priority, %jd in a wrong class\n", (intmax_t)requests,
	       (intmax_t)missing, (intmax_t)wrong);
	if (requests < MIN_REQUESTS)
		errx(EXIT_FAILURE, "fewer than %d requests", MIN_REQUESTS);
	return missing || wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
