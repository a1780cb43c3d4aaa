// SPDX-License-Identifier: Apache-2.0
/* What becomes of a read that the drive or the kernel refuses; the answers of io_uring are set here. */
#include "unit.h"

#include "direct.h"
#include "hprio_pbs.h"
#include "ioprio.h"

#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BYTES 8192
#define MAX_REQUESTS 4
#define READERS 20

/* The answers to the next requests, 0: the kernel's own; and the priorities that they had. */
static int planned[MAX_REQUESTS];
static uint16_t seen[MAX_REQUESTS];
static unsigned requests;
/* What the calls give instead, 0: the kernel's own; EAGAIN: it has no memory for a request. */
static int submit_fails;
static unsigned calls;
/* Whether the kernel knows which operations it has, which it does since it has READ. */
static bool no_probe;
static atomic_int rings;
/* Where all readers are at the same time. */
static pthread_barrier_t *meeting;
static char path[64];

int __real_io_uring_submit_and_wait(struct io_uring *ring, unsigned wait);
int __wrap_io_uring_submit_and_wait(struct io_uring *ring, unsigned wait);
bool __wrap_pbs_resident(int fd, uint64_t offset, uint64_t length);
int __real_io_uring_queue_init(unsigned entries, struct io_uring *ring, unsigned flags);
int __wrap_io_uring_queue_init(unsigned entries, struct io_uring *ring, unsigned flags);
void __real_io_uring_queue_exit(struct io_uring *ring);
void __wrap_io_uring_queue_exit(struct io_uring *ring);
struct io_uring_probe *__real_io_uring_get_probe_ring(struct io_uring *ring);
struct io_uring_probe *__wrap_io_uring_get_probe_ring(struct io_uring *ring);

int __wrap_io_uring_queue_init(unsigned entries, struct io_uring *ring, unsigned flags)
{
	rings++;
	return __real_io_uring_queue_init(entries, ring, flags);
}

void __wrap_io_uring_queue_exit(struct io_uring *ring)
{
	rings--;
	__real_io_uring_queue_exit(ring);
}

struct io_uring_probe *__wrap_io_uring_get_probe_ring(struct io_uring *ring)
{
	return no_probe ? NULL : __real_io_uring_get_probe_ring(ring);
}

int __wrap_io_uring_submit_and_wait(struct io_uring *ring, unsigned wait)
{
	uint16_t ioprio = ring->sq.sqes[ring->sq.sqe_head & ring->sq.ring_mask].ioprio;
	struct io_uring_cqe *answer;
	int result;

	if (submit_fails) {
		assert_true(++calls < 1000);
		return -submit_fails;
	}
	if (meeting) {
		pthread_barrier_wait(meeting);
		return __real_io_uring_submit_and_wait(ring, wait);
	}
	result = __real_io_uring_submit_and_wait(ring, wait);
	assert_true(requests < MAX_REQUESTS);
	seen[requests] = ioprio;
	if (planned[requests] && io_uring_peek_cqe(ring, &answer) == 0)
		answer->res = planned[requests];
	requests++;
	return result;
}

/* Else a file that was just written would be read from the page cache. */
bool __wrap_pbs_resident(int fd, uint64_t offset, uint64_t length)
{
	(void)fd;
	(void)offset;
	(void)length;
	return false;
}

static void plan(int first, int second)
{
	memset(planned, 0, sizeof(planned));
	planned[0] = first;
	planned[1] = second;
	requests = 0;
	submit_fails = 0;
	calls = 0;
	no_probe = false;
}

static int make_file(void **state)
{
	char zeros[BYTES] = {0};
	int fd;

	(void)state;
	strcpy(path, "/tmp/test_direct.XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, zeros, BYTES), BYTES);
	close(fd);
	return 0;
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

/* Reads once with io_uring. As pbs_direct_read. */
static int64_t read_once(uint16_t ioprio, bool *lowered, struct pbs_failure *failure)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct pbs_direct *direct;
	char buffer[BYTES];
	int64_t result;

	assert_true(fd >= 0);
	if (pbs_direct_open(&direct, failure)) {
		close(fd);
		unit_missing("io_uring", failure->text);
	}
	*lowered = false;
	result = pbs_direct_read(direct, fd, buffer, BYTES, 0, ioprio, lowered, failure);
	pbs_direct_close(direct);
	close(fd);
	return result;
}

static void a_limit_that_was_exceeded_has_a_reason_of_its_own(void **state)
{
	struct pbs_failure failure;
	bool lowered;

	(void)state;
	plan(-ETIME, 0);
	assert_int_equal(read_once(hprio_ioprio_make(HPRIO_CLASS_BE, 4, 3), &lowered, &failure), -1);
	assert_int_equal(failure.reason, PBS_REASON_EXPIRED);
	assert_non_null(strstr(failure.text, "limit 3"));
	assert_int_equal(requests, 1);
	assert_int_equal(seen[0], 2 << 13 | 3 << 3 | 4);
}

static void also_if_a_part_was_read(void **state)
{
	struct pbs_failure failure;
	bool lowered;

	(void)state;
	plan(BYTES / 2, -ETIME);
	assert_int_equal(read_once(hprio_ioprio_make(HPRIO_CLASS_BE, 4, 3), &lowered, &failure), -1);
	assert_int_equal(failure.reason, PBS_REASON_EXPIRED);
	assert_int_equal(requests, 2);
}

static void without_a_limit_it_is_an_error_like_others(void **state)
{
	struct pbs_failure failure;
	bool lowered;

	(void)state;
	plan(-ETIME, 0);
	assert_int_equal(read_once(hprio_ioprio_make(HPRIO_CLASS_BE, 4, 0), &lowered, &failure), -1);
	assert_int_equal(failure.reason, PBS_REASON_DIRECT);
	plan(-EIO, 0);
	assert_int_equal(read_once(hprio_ioprio_make(HPRIO_CLASS_BE, 4, 3), &lowered, &failure), -1);
	assert_int_equal(failure.reason, PBS_REASON_DIRECT);
}

static void without_the_right_to_real_time_the_limit_stays(void **state)
{
	struct pbs_failure failure;
	bool lowered;

	(void)state;
	plan(-EPERM, BYTES);
	assert_int_equal(read_once(hprio_ioprio_make(HPRIO_CLASS_RT, 1, 5), &lowered, &failure),
			 BYTES);
	assert_true(lowered);
	assert_int_equal(seen[1], 2 << 13 | 5 << 3 | 0);
}

static void a_kernel_without_hints_is_noticed(void **state)
{
	struct pbs_failure failure;
	struct pbs_direct *direct;

	(void)state;
	if (pbs_direct_open(&direct, &failure)) {
		unit_missing("io_uring", failure.text);
	}
	plan(-EINVAL, 0);
	assert_false(pbs_direct_takes_hints(direct));
	assert_int_equal(hprio_ioprio_hint(seen[0]), 1);
	plan(0, 0);
	pbs_direct_takes_hints(direct);
	assert_int_equal(requests, 1);
	pbs_direct_close(direct);
}

static void what_expired_is_not_read_in_another_way(void **state)
{
	struct pbs_outcome outcome;
	struct pbs_volume *volume;
	struct pbs_stats stats;
	struct pbs_file *file;
	char buffer[BYTES];
	int fd = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC);

	(void)state;
	plan(0, 0);
	if (fd < 0 || pbs_volume_open(path, NULL, &volume, NULL)) {
		unit_missing("direct reads", path);
	}
	assert_int_equal(pbs_file_open(volume, fd, &file), 0);
	close(fd);
	plan(-ETIME, 0);
	assert_int_equal(pbs_read_direct(file, buffer, BYTES, 0,
					 hprio_ioprio_make(HPRIO_CLASS_BE, 4, 7), &outcome),
			 -ETIME);
	assert_int_equal(outcome.way, PBS_WAY_NOT_READ);
	assert_int_equal(outcome.reason, PBS_REASON_EXPIRED);
	assert_non_null(strstr(outcome.text, "limit 7"));
	pbs_volume_stats(volume, &stats);
	assert_int_equal(stats.fallback[PBS_REASON_EXPIRED], 1);
	assert_int_equal(stats.direct, 0);
	pbs_file_close(file);
	pbs_volume_close(volume);
}

static void a_kernel_without_memory_for_a_request_is_not_asked_for_ever(void **state)
{
	struct pbs_failure failure;
	bool lowered;

	(void)state;
	plan(0, 0);
	submit_fails = EAGAIN;
	assert_int_equal(read_once(0, &lowered, &failure), -1);
	assert_int_equal(failure.reason, PBS_REASON_DIRECT);
	assert_int_equal(calls, 1);
	assert_int_equal(rings, 0);
}

/* Linux 5.1 to 5.5 have io_uring, but would answer EINVAL to each read. */
static void a_kernel_without_the_operation_is_refused(void **state)
{
	struct pbs_failure failure;
	struct pbs_direct *direct;

	(void)state;
	plan(0, 0);
	no_probe = true;
	assert_int_equal(pbs_direct_open(&direct, &failure), -1);
	if (strcmp(failure.text, "io_uring of this kernel does not read (Linux 5.6)") != 0) {
		assert_non_null(strstr(failure.text, "io_uring: "));
		unit_missing("io_uring", failure.text);
	}
	assert_int_equal(rings, 0);
}

static void *read_with_others(void *argument)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct pbs_failure failure;
	char buffer[BYTES];
	bool lowered;

	if (pbs_direct_read(argument, fd, buffer, BYTES, 0, 0, &lowered, &failure) != BYTES)
		fail_msg("%s", failure.text);
	close(fd);
	return NULL;
}

/* Each has a mebibyte, and memory that the kernel pins and, before 5.12, takes off RLIMIT_MEMLOCK. */
static void few_rings_are_kept_after_many_reads_at_once(void **state)
{
	struct pbs_failure failure;
	struct pbs_direct *direct;
	pthread_barrier_t barrier;
	pthread_t thread[READERS];

	(void)state;
	plan(0, 0);
	if (pbs_direct_open(&direct, &failure)) {
		unit_missing("io_uring", failure.text);
	}
	pthread_barrier_init(&barrier, NULL, READERS);
	meeting = &barrier;
	for (unsigned i = 0; i < READERS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, read_with_others, direct), 0);
	for (unsigned i = 0; i < READERS; i++)
		pthread_join(thread[i], NULL);
	meeting = NULL;
	pthread_barrier_destroy(&barrier);
	assert_in_range(rings, 1, 8);
	pbs_direct_close(direct);
	assert_int_equal(rings, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_limit_that_was_exceeded_has_a_reason_of_its_own),
		cmocka_unit_test(also_if_a_part_was_read),
		cmocka_unit_test(without_a_limit_it_is_an_error_like_others),
		cmocka_unit_test(without_the_right_to_real_time_the_limit_stays),
		cmocka_unit_test(a_kernel_without_hints_is_noticed),
		cmocka_unit_test(what_expired_is_not_read_in_another_way),
		cmocka_unit_test(a_kernel_without_memory_for_a_request_is_not_asked_for_ever),
		cmocka_unit_test(a_kernel_without_the_operation_is_refused),
		cmocka_unit_test(few_rings_are_kept_after_many_reads_at_once),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
