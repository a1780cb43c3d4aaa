/* What becomes of a read that the drive or the kernel refuses; the answers of io_uring are set here. */
#include "unit.h"

#include "direct.h"
#include "hprio_pbs.h"
#include "ioprio.h"

#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BYTES 8192
#define MAX_REQUESTS 4

/* The answers to the next requests, 0: the kernel's own; and the priorities that they had. */
static int planned[MAX_REQUESTS];
static uint16_t seen[MAX_REQUESTS];
static unsigned requests;
static char path[64];

int __real_io_uring_submit_and_wait(struct io_uring *ring, unsigned wait);
int __wrap_io_uring_submit_and_wait(struct io_uring *ring, unsigned wait);
bool __wrap_pbs_resident(int fd, uint64_t offset, uint64_t length);

int __wrap_io_uring_submit_and_wait(struct io_uring *ring, unsigned wait)
{
	uint16_t ioprio = ring->sq.sqes[ring->sq.sqe_head & ring->sq.ring_mask].ioprio;
	int result = __real_io_uring_submit_and_wait(ring, wait);
	struct io_uring_cqe *answer;

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
		print_message("%s\n", failure->text);
		skip();
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
		print_message("%s\n", failure.text);
		skip();
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
		print_message("no O_DIRECT on %s\n", path);
		skip();
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_limit_that_was_exceeded_has_a_reason_of_its_own),
		cmocka_unit_test(also_if_a_part_was_read),
		cmocka_unit_test(without_a_limit_it_is_an_error_like_others),
		cmocka_unit_test(without_the_right_to_real_time_the_limit_stays),
		cmocka_unit_test(a_kernel_without_hints_is_noticed),
		cmocka_unit_test(what_expired_is_not_read_in_another_way),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
