// SPDX-License-Identifier: Apache-2.0
/*
 * The guest's reader: reads a whole file in one of the ways programs read files, at an I/O priority.
 *
 *   wireio read WAY CLASS FILE    WAY: buffered sendfile direct libaio io_uring polled
 *                                 CLASS: rt be idle none, with a level, 0 to 7 (else 4): be:0, or with a duration
 *                                 limit, 1 to 7: be/3; prints the number of bytes read. FILE may be a drive
 *   wireio batch FILE CLASS...    reads a block at each CLASS, of every other block of the file, in one submission of
 *                                 io_uring; prints the number of bytes read
 *   wireio extents FILE           prints "LOGICAL PHYSICAL LENGTH FLAGS" per extent, in bytes, flags in hex;
 *                                 writes dirty data first
 *   wireio resident FILE          prints how many of its pages are in the page cache
 *   wireio mode PAGE SUBPAGE DEV  prints the answer to MODE SENSE(10), page codes and answer in hex
 *   wireio as UID PROGRAM ...     runs a program as this user and group, with no rights beyond
 *   wireio among OTHERS CLASS FILE  reads the first block at CLASS while OTHERS threads read blocks at random places
 *                                 all the time, all with O_DIRECT; prints the bytes read, or -errno, and how
 *                                 long that took in microseconds
 *   wireio load STOP FILE CLASS... eight threads for each CLASS read blocks at random places with O_DIRECT, until there is
 *                                 a file STOP; prints "CLASS READS" for each
 *   wireio shares SECONDS FILE DEPTH CLASS ...  for each DEPTH and CLASS a thread with so many reads of blocks at random
 *                                 places under way, by io_uring; prints "CLASS READS" for each: those that have ended in
 *                                 SECONDS, after half a second that is not counted
 *
 * With libaio and io_uring the priority is that of the request; the thread has none. Exit status 0, or 1 after
 * a message.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <liburing.h>
#include <linux/aio_abi.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/ioprio.h>
#include <pthread.h>
#include <scsi/sg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define BLOCK 4096
#define EXTENTS_AT_ONCE 64
#define LEVEL 4
#define LAST_LEVEL 7
/* The hint of an I/O priority, IOPRIO_HINT_DEV_DURATION_LIMIT_1 to 7 since Linux 6.5: above the level's bits. */
#define HINT_SHIFT 3
#define LAST_HINT 7

struct class {
	const char *name;
	unsigned number;
};

static const struct class CLASSES[] = {
	{"none", IOPRIO_CLASS_NONE},
	{"rt", IOPRIO_CLASS_RT},
	{"be", IOPRIO_CLASS_BE},
	{"idle", IOPRIO_CLASS_IDLE},
};

/* Tells what failed, with errno's text, and ends. */
static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "wireio: %s: %s\n", what, strerror(errno));
	exit(1);
}

static _Noreturn void fail_with(const char *what, int error)
{
	errno = error;
	fail(what);
}

/* Of CLASS, CLASS:LEVEL, CLASS/HINT or CLASS:LEVEL/HINT; none and idle have no levels. */
static uint16_t parse_ioprio(const char *text)
{
	size_t length = strcspn(text, ":/");
	char *rest = (char *)text + length;
	unsigned long level = LEVEL, hint = 0;

	if (*rest == ':')
		level = strtoul(rest + 1, &rest, 10);
	if (*rest == '/')
		hint = strtoul(rest + 1, &rest, 10);
	if (*rest || level > LAST_LEVEL || hint > LAST_HINT)
		fail_with(text, EINVAL);
	for (size_t i = 0; i < sizeof(CLASSES) / sizeof(CLASSES[0]); i++) {
		unsigned class = CLASSES[i].number;
		bool levels = class == IOPRIO_CLASS_RT || class == IOPRIO_CLASS_BE;

		if (strlen(CLASSES[i].name) == length && strncmp(CLASSES[i].name, text, length) == 0)
			return (uint16_t)(class << IOPRIO_CLASS_SHIFT |
					  hint << HINT_SHIFT | (levels ? level : 0));
	}
	fail_with(text, EINVAL);
}

static void set_own_ioprio(uint16_t ioprio)
{
	if (syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0, ioprio) != 0)
		fail("ioprio_set");
}

static int64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

static int open_file(const char *path, int flags)
{
	int fd = open(path, O_RDONLY | flags);

	if (fd < 0)
		fail(path);
	return fd;
}

static size_t length_of(int fd)
{
	off_t length = lseek(fd, 0, SEEK_END);

	if (length < 0 || lseek(fd, 0, SEEK_SET) != 0)
		fail("lseek");
	return (size_t)length;
}

/* Room for a whole file, aligned for direct I/O. */
static void *buffer_for(size_t length)
{
	void *buffer = aligned_alloc(BLOCK, (length + BLOCK - 1) / BLOCK * BLOCK);

	if (buffer == NULL)
		fail_with("buffer", ENOMEM);
	return buffer;
}

static ssize_t read_whole(const char *path, int flags, uint16_t ioprio)
{
	int fd = open_file(path, flags);
	size_t length = length_of(fd);

	set_own_ioprio(ioprio);
	return pread(fd, buffer_for(length), length, 0);
}

static ssize_t read_buffered(const char *path, uint16_t ioprio)
{
	return read_whole(path, 0, ioprio);
}

static ssize_t read_direct(const char *path, uint16_t ioprio)
{
	return read_whole(path, O_DIRECT, ioprio);
}

/* Takes all that arrives, so that the sender never waits. */
static void *drain(void *argument)
{
	char buffer[BLOCK];

	while (read(*(int *)argument, buffer, sizeof(buffer)) > 0)
		;
	return NULL;
}

static ssize_t read_by_sendfile(const char *path, uint16_t ioprio)
{
	int fd = open_file(path, 0), ends[2], error;
	size_t length = length_of(fd), sent = 0;
	pthread_t receiver;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
		fail("socketpair");
	error = pthread_create(&receiver, NULL, drain, &ends[1]);
	if (error != 0)
		fail_with("pthread_create", error);
	set_own_ioprio(ioprio);
	while (sent < length) {
		ssize_t part = sendfile(ends[0], fd, NULL, length - sent);

		if (part <= 0)
			return part;
		sent += (size_t)part;
	}
	close(ends[0]);
	pthread_join(receiver, NULL);
	return (ssize_t)sent;
}

/* libaio's own system calls; the library adds nothing that matters here. */
static ssize_t read_by_libaio(const char *path, uint16_t ioprio)
{
	int fd = open_file(path, O_DIRECT);
	size_t length = length_of(fd);
	struct iocb request = {
		.aio_lio_opcode = IOCB_CMD_PREAD,
		.aio_fildes = (uint32_t)fd,
		.aio_buf = (uintptr_t)buffer_for(length),
		.aio_nbytes = length,
	}, *requests[] = {&request};
	aio_context_t context = 0;
	struct io_event event;

	if (ioprio != 0) {
		request.aio_flags = IOCB_FLAG_IOPRIO;
		request.aio_reqprio = (int16_t)ioprio;
	}
	if (syscall(SYS_io_setup, 1, &context) != 0)
		fail("io_setup");
	if (syscall(SYS_io_submit, context, 1, requests) != 1)
		fail("io_submit");
	if (syscall(SYS_io_getevents, context, 1, 1, &event, NULL) != 1)
		fail("io_getevents");
	syscall(SYS_io_destroy, context);
	return event.res;
}

static ssize_t read_by_ring(const char *path, uint16_t ioprio, unsigned flags)
{
	int fd = open_file(path, O_DIRECT), error;
	size_t length = length_of(fd);
	struct io_uring_cqe *done;
	struct io_uring_sqe *request;
	struct io_uring ring;
	ssize_t result;

	error = io_uring_queue_init(1, &ring, flags);
	if (error != 0)
		fail_with("io_uring_queue_init", -error);
	request = io_uring_get_sqe(&ring);
	io_uring_prep_read(request, fd, buffer_for(length), (unsigned)length, 0);
	request->ioprio = ioprio;
	error = io_uring_submit_and_wait(&ring, 1);
	if (error < 0)
		fail_with("io_uring_submit", -error);
	error = io_uring_wait_cqe(&ring, &done);
	if (error != 0)
		fail_with("io_uring_wait_cqe", -error);
	result = done->res;
	io_uring_queue_exit(&ring);
	return result;
}

static ssize_t read_by_io_uring(const char *path, uint16_t ioprio)
{
	return read_by_ring(path, ioprio, 0);
}

/* The kernel asks the drive's queue for the answer, without an interrupt. */
static ssize_t read_polled(const char *path, uint16_t ioprio)
{
	return read_by_ring(path, ioprio, IORING_SETUP_IOPOLL);
}

/* A block between two, so that none are merged. */
static void read_batch(const char *path, int count, char **classes)
{
	int fd = open_file(path, O_DIRECT), error;
	struct io_uring_cqe *done;
	struct io_uring ring;
	ssize_t bytes = 0;

	error = io_uring_queue_init((unsigned)count, &ring, 0);
	if (error != 0)
		fail_with("io_uring_queue_init", -error);
	for (int i = 0; i < count; i++) {
		struct io_uring_sqe *request = io_uring_get_sqe(&ring);

		io_uring_prep_read(request, fd, buffer_for(BLOCK), BLOCK, (uint64_t)i * 2 * BLOCK);
		request->ioprio = parse_ioprio(classes[i]);
	}
	error = io_uring_submit(&ring);
	if (error < 0)
		fail_with("io_uring_submit", -error);
	for (int i = 0; i < count; i++) {
		error = io_uring_wait_cqe(&ring, &done);
		if (error != 0 || done->res < 0)
			fail_with(path, error != 0 ? -error : -done->res);
		bytes += done->res;
		io_uring_cqe_seen(&ring, done);
	}
	printf("%zd\n", bytes);
}

struct way {
	const char *name;
	/* Returns the bytes read; the descriptors and the buffer live as long as the process. */
	ssize_t (*read)(const char *path, uint16_t ioprio);
};

static const struct way WAYS[] = {
	{"buffered", read_buffered}, {"sendfile", read_by_sendfile}, {"direct", read_direct},
	{"libaio", read_by_libaio},  {"io_uring", read_by_io_uring}, {"polled", read_polled},
};

static const struct way *parse_way(const char *name)
{
	for (size_t i = 0; i < sizeof(WAYS) / sizeof(WAYS[0]); i++)
		if (strcmp(WAYS[i].name, name) == 0)
			return &WAYS[i];
	fail_with(name, EINVAL);
}

static void print_extents(const char *path)
{
	struct fiemap *map = calloc(1, sizeof(*map) + EXTENTS_AT_ONCE * sizeof(map->fm_extents[0]));
	int fd = open_file(path, 0);
	bool last = false;

	if (map == NULL)
		fail_with("buffer", ENOMEM);
	while (!last) {
		map->fm_length = FIEMAP_MAX_OFFSET - map->fm_start;
		map->fm_extent_count = EXTENTS_AT_ONCE;
		map->fm_flags = FIEMAP_FLAG_SYNC;
		if (ioctl(fd, FS_IOC_FIEMAP, map) != 0)
			fail("FIEMAP");
		last = map->fm_mapped_extents == 0;
		for (unsigned i = 0; i < map->fm_mapped_extents; i++) {
			const struct fiemap_extent *extent = &map->fm_extents[i];

			printf("%llu %llu %llu %x\n", (unsigned long long)extent->fe_logical,
			       (unsigned long long)extent->fe_physical,
			       (unsigned long long)extent->fe_length, extent->fe_flags);
			map->fm_start = extent->fe_logical + extent->fe_length;
			last = extent->fe_flags & FIEMAP_EXTENT_LAST;
		}
	}
}

static void print_resident(const char *path)
{
	int fd = open_file(path, 0);
	size_t length = length_of(fd), pages = (length + BLOCK - 1) / BLOCK, resident = 0;
	unsigned char *states = calloc(pages + 1, 1);
	void *mapped = mmap(NULL, length, PROT_READ, MAP_SHARED, fd, 0);

	if (states == NULL || mapped == MAP_FAILED)
		fail("mmap");
	if (mincore(mapped, length, states) != 0)
		fail("mincore");
	for (size_t i = 0; i < pages; i++)
		resident += states[i] & 1;
	printf("%zu\n", resident);
}

static void print_mode_page(const char *page, const char *subpage, const char *device)
{
	uint8_t answer[512], sense[64];
	uint8_t cdb[10] = {0x5a, 0x08, 0, 0, 0, 0, 0, sizeof(answer) >> 8, sizeof(answer) & 0xff};
	struct sg_io_hdr request = {
		.interface_id = 'S',
		.dxfer_direction = SG_DXFER_FROM_DEV,
		.cmdp = cdb,
		.cmd_len = sizeof(cdb),
		.dxferp = answer,
		.dxfer_len = sizeof(answer),
		.sbp = sense,
		.mx_sb_len = sizeof(sense),
		.timeout = 30000,
	};

	cdb[2] = (uint8_t)strtoul(page, NULL, 16);
	cdb[3] = (uint8_t)strtoul(subpage, NULL, 16);
	if (ioctl(open_file(device, 0), SG_IO, &request) != 0)
		fail("SG_IO");
	if (request.status != 0)
		fail_with("MODE SENSE", EIO);
	for (unsigned i = 0; i < 2u + (answer[0] << 8 | answer[1]) && i < sizeof(answer); i++)
		printf("%02x", answer[i]);
	printf("\n");
}

/* The change of user takes all capabilities. */
static _Noreturn void run_as(unsigned user, char **command)
{
	if (setgroups(0, NULL) != 0 || setresgid(user, user, user) != 0 ||
	    setresuid(user, user, user) != 0)
		fail("setresuid");
	execvp(command[0], command);
	fail(command[0]);
}

/* --- one read among others ------------------------------------------------------------------------- */

/* Until all others have a read at the drive, and in which it takes up others again. */
static const struct timespec A_WHILE = {.tv_sec = 2};

struct others {
	int fd;
	size_t blocks;
};

/* Reads without end, at no priority. */
static void *read_on(void *argument)
{
	const struct others *others = argument;
	void *buffer = buffer_for(BLOCK);
	unsigned seed = (unsigned)(uintptr_t)&seed;

	for (;;) {
		off_t place = (off_t)((size_t)rand_r(&seed) % others->blocks) * BLOCK;

		if (pread(others->fd, buffer, BLOCK, place) != BLOCK)
			fail("another read");
	}
	return NULL;
}

static void read_among(int count, uint16_t ioprio, const char *path)
{
	/* Static: the threads read it until the process has ended, when this function's stack is no more. */
	static struct others others;
	int fd = open_file(path, O_DIRECT);
	void *buffer = buffer_for(BLOCK);
	pthread_t thread;
	int64_t began_us;
	ssize_t done;

	others = (struct others){fd, length_of(fd) / BLOCK};
	for (int i = 0; i < count; i++)
		if (pthread_create(&thread, NULL, read_on, &others) != 0)
			fail("pthread_create");
	nanosleep(&A_WHILE, NULL);
	set_own_ioprio(ioprio);
	began_us = now_us();
	done = pread(fd, buffer, BLOCK, 0);
	printf("%zd %lld\n", done < 0 ? -errno : done, (long long)(now_us() - began_us));
	nanosleep(&A_WHILE, NULL);
}

/* --- what several priorities get while each keeps so many reads under way ---------------------------- */

#define WARM_US 500000

struct share {
	const char *path;
	const char *class;
	unsigned depth;
	int64_t begin_us;
	int64_t end_us;
	long reads;
};

static void ask_for_share(struct io_uring *ring, const struct share *share, int fd, void *buffer, unsigned *seed)
{
	struct io_uring_sqe *request = io_uring_get_sqe(ring);
	uint64_t blocks = length_of(fd) / BLOCK;

	if (request == NULL)
		fail_with("io_uring_get_sqe", EBUSY);
	io_uring_prep_read(request, fd, buffer, BLOCK, (uint64_t)rand_r(seed) % blocks * BLOCK);
	request->ioprio = parse_ioprio(share->class);
	io_uring_sqe_set_data(request, buffer);
}

static void *read_for_share(void *argument)
{
	struct share *share = argument;
	int fd = open_file(share->path, O_DIRECT);
	unsigned under_way = share->depth, seed = (unsigned)(uintptr_t)share;
	struct io_uring_cqe *done;
	struct io_uring ring;
	int error = io_uring_queue_init(share->depth, &ring, 0);

	if (error != 0)
		fail_with("io_uring_queue_init", -error);
	for (unsigned i = 0; i < share->depth; i++)
		ask_for_share(&ring, share, fd, buffer_for(BLOCK), &seed);
	while (under_way > 0) {
		int64_t now;

		error = io_uring_submit_and_wait(&ring, 1);
		if (error < 0)
			fail_with("io_uring_submit", -error);
		now = now_us();
		while (io_uring_peek_cqe(&ring, &done) == 0) {
			void *buffer = io_uring_cqe_get_data(done);

			if (done->res != BLOCK)
				fail_with(share->class, done->res < 0 ? -done->res : EIO);
			io_uring_cqe_seen(&ring, done);
			share->reads += now >= share->begin_us && now < share->end_us;
			if (now < share->end_us)
				ask_for_share(&ring, share, fd, buffer, &seed);
			else
				under_way--;
		}
	}
	io_uring_queue_exit(&ring);
	return NULL;
}

static void read_shares(const char *seconds, const char *path, int count, char **arguments)
{
	struct share *shares = calloc((size_t)count, sizeof(*shares));
	pthread_t *threads = calloc((size_t)count, sizeof(*threads));
	int64_t begin_us = now_us() + WARM_US;

	if (shares == NULL || threads == NULL)
		fail_with("shares", ENOMEM);
	for (int i = 0; i < count; i++) {
		shares[i] = (struct share){
			.path = path,
			.depth = (unsigned)strtoul(arguments[2 * i], NULL, 10),
			.class = arguments[2 * i + 1],
			.begin_us = begin_us,
			.end_us = begin_us + (int64_t)(strtod(seconds, NULL) * 1e6),
		};
		if (pthread_create(&threads[i], NULL, read_for_share, &shares[i]) != 0)
			fail_with("pthread_create", EAGAIN);
	}
	for (int i = 0; i < count; i++) {
		pthread_join(threads[i], NULL);
		printf("%s %ld\n", shares[i].class, shares[i].reads);
	}
}

/* --- a load of several priorities ------------------------------------------------------------------- */

#define THREADS_OF_A_CLASS 8

static const struct timespec A_MOMENT = {.tv_nsec = 20 * 1000 * 1000};

struct load {
	const char *class;
	int fd;
	size_t blocks;
	pthread_t threads[THREADS_OF_A_CLASS];
	atomic_long reads;
};

static atomic_bool stopped;

static void *read_for_load(void *argument)
{
	struct load *load = argument;
	void *buffer = buffer_for(BLOCK);
	unsigned seed = (unsigned)(uintptr_t)&seed;

	set_own_ioprio(parse_ioprio(load->class));
	while (!stopped) {
		off_t place = (off_t)((size_t)rand_r(&seed) % load->blocks) * BLOCK;

		if (pread(load->fd, buffer, BLOCK, place) != BLOCK)
			fail(load->class);
		load->reads++;
	}
	return NULL;
}

static void read_under_load(const char *stop, const char *path, int count, char **classes)
{
	struct load *loads = calloc((size_t)count, sizeof(*loads));
	int fd = open_file(path, O_DIRECT);

	if (loads == NULL)
		fail_with("loads", ENOMEM);
	for (int i = 0; i < count; i++) {
		loads[i].class = classes[i];
		loads[i].fd = fd;
		loads[i].blocks = length_of(fd) / BLOCK;
		for (int j = 0; j < THREADS_OF_A_CLASS; j++)
			if (pthread_create(&loads[i].threads[j], NULL, read_for_load, &loads[i]) != 0)
				fail("pthread_create");
	}
	while (access(stop, F_OK) != 0)
		nanosleep(&A_MOMENT, NULL);
	stopped = true;
	for (int i = 0; i < count; i++) {
		for (int j = 0; j < THREADS_OF_A_CLASS; j++)
			pthread_join(loads[i].threads[j], NULL);
		printf("%s %ld\n", loads[i].class, loads[i].reads);
	}
}

int main(int argc, char **argv)
{
	if (argc == 5 && strcmp(argv[1], "read") == 0) {
		ssize_t bytes = parse_way(argv[2])->read(argv[4], parse_ioprio(argv[3]));

		if (bytes < 0)
			fail(argv[4]);
		printf("%zd\n", bytes);
		return 0;
	}
	if (argc >= 4 && strcmp(argv[1], "as") == 0)
		run_as((unsigned)atoi(argv[2]), argv + 3);
	if (argc >= 6 && argc % 2 == 0 && strcmp(argv[1], "shares") == 0) {
		read_shares(argv[2], argv[3], (argc - 4) / 2, argv + 4);
		return 0;
	}
	if (argc >= 5 && strcmp(argv[1], "load") == 0) {
		read_under_load(argv[2], argv[3], argc - 4, argv + 4);
		return 0;
	}
	if (argc >= 4 && strcmp(argv[1], "batch") == 0) {
		read_batch(argv[2], argc - 3, argv + 3);
		return 0;
	}
	if (argc == 3 && strcmp(argv[1], "extents") == 0) {
		print_extents(argv[2]);
		return 0;
	}
	if (argc == 3 && strcmp(argv[1], "resident") == 0) {
		print_resident(argv[2]);
		return 0;
	}
	if (argc == 5 && strcmp(argv[1], "mode") == 0) {
		print_mode_page(argv[2], argv[3], argv[4]);
		return 0;
	}
	if (argc == 5 && strcmp(argv[1], "among") == 0) {
		read_among(atoi(argv[2]), parse_ioprio(argv[3]), argv[4]);
		return 0;
	}
	fprintf(stderr, "usage: wireio read WAY CLASS FILE | batch FILE CLASS... | extents FILE | resident FILE | "
			"mode PAGE SUBPAGE DEVICE | as UID PROGRAM... | among OTHERS CLASS FILE | load STOP FILE CLASS... | shares SECONDS FILE DEPTH CLASS ...\n");
	return 1;
}
