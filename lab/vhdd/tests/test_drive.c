// SPDX-License-Identifier: Apache-2.0
#include "unit.h"

#include "drive.h"

#include <stdlib.h>

#define REQUESTS 16
#define LENGTH 131072u

/* What the drive told, in the order of the finishes. */
struct record {
	struct vhdd_drive *drive;
	struct vhdd_request requests[REQUESTS];
	size_t started;
	size_t finished;
	size_t ended; /* without data */
	const struct vhdd_request *order[REQUESTS];
};

static void on_start(void *context, struct vhdd_request *request)
{
	struct record *record = context;

	(void)request;
	record->started++;
}

static void on_finish(void *context, struct vhdd_request *request)
{
	struct record *record = context;

	assert_true(record->finished < REQUESTS);
	record->order[record->finished++] = request;
	record->ended += request->cdl.unavailable;
	assert_true(record->started + record->ended >= record->finished);
}

static int set_up(void **state)
{
	struct record *record = calloc(1, sizeof(*record));
	const struct vhdd_drive_events events = {
		.start = on_start, .finish = on_finish, .context = record};
	struct vhdd_params params = sdc21();

	record->drive = vhdd_drive_new(&params, &events);
	assert_non_null(record->drive);
	*state = record;
	return 0;
}

static int tear_down(void **state)
{
	struct record *record = *state;

	vhdd_drive_free(record->drive);
	free(record);
	return 0;
}

/* Hands a request in when a real drive has it, too. */
static int submit(struct record *record, struct vhdd_request *request, int64_t now_ns)
{
	int64_t path_ns = vhdd_drive_params(record->drive)->path_ns;

	return vhdd_drive_submit(record->drive, request, now_ns - path_ns, now_ns);
}

/* Random places, the same in each run. */
static void submit_all(struct record *record, int64_t now_ns)
{
	uint64_t size = vhdd_drive_params(record->drive)->size_bytes;

	for (size_t i = 0; i < REQUESTS; i++) {
		record->requests[i].offset = size / 7919 * (i * 617 % 7919) / 4096 * 4096;
		record->requests[i].length = LENGTH;
		assert_int_equal(submit(record, &record->requests[i], now_ns), 0);
	}
}

static void finishes_each_when_it_is_due(void **state)
{
	struct record *record = *state;
	int64_t now = NS_PER_S;

	assert_true(vhdd_drive_deadline_ns(record->drive) == INT64_MAX);
	submit_all(record, now);
	while (vhdd_drive_held(record->drive) > 0) {
		size_t finished = record->finished;
		int64_t due = vhdd_drive_deadline_ns(record->drive);

		assert_true(due >= now);
		vhdd_drive_advance(record->drive, due - 1);
		assert_int_equal(record->finished, finished);
		now = due;
		vhdd_drive_advance(record->drive, now);
	}
	assert_int_equal(record->finished, REQUESTS);
	for (size_t i = 0; i < REQUESTS; i++) {
		assert_true(record->order[i]->finish_ns > record->order[i]->start_ns);
		if (i)
			assert_true(record->order[i]->finish_ns > record->order[i - 1]->finish_ns);
	}
	assert_true(vhdd_drive_deadline_ns(record->drive) == INT64_MAX);
}

/* Submits a request to an idle drive and returns when the drive finished it. */
static int64_t finished_at(struct record *record, struct vhdd_request *request, int64_t now)
{
	size_t before = record->finished;

	assert_int_equal(submit(record, request, now), 0);
	while (record->finished == before) {
		now = vhdd_drive_deadline_ns(record->drive);
		vhdd_drive_advance(record->drive, now);
	}
	return now;
}

/* The host has a read's data when the read is due; the model knows nothing of the copy. */
static void begins_to_answer_reads_before_they_are_due(void **state)
{
	struct record *record = *state;
	struct vhdd_request read = {.length = LENGTH};
	struct vhdd_request write = {.offset = 1 << 20, .length = LENGTH, .write = true};
	int64_t finished;

	vhdd_drive_set_answer_cost(record->drive, 0.5);
	finished = finished_at(record, &read, NS_PER_S);
	assert_int_equal(read.finish_ns - finished, LENGTH / 2);

	/* A copy longer than all of the service begins with it. */
	vhdd_drive_set_answer_cost(record->drive, 1e6);
	finished = finished_at(record, &read, 2 * NS_PER_S);
	assert_int_equal(read.start_ns, finished);

	/* A write's data are there already. */
	finished = finished_at(record, &write, 3 * NS_PER_S);
	assert_int_equal(write.finish_ns, finished);
}

/* The same requests, looked at in time and seconds too late, must take the same time. */
static void being_late_does_not_slow_it_down(void **state)
{
	struct record *record = *state;
	int64_t last_finish;

	submit_all(record, NS_PER_S);
	while (vhdd_drive_held(record->drive) > 0)
		vhdd_drive_advance(record->drive, vhdd_drive_deadline_ns(record->drive));
	last_finish = record->order[REQUESTS - 1]->finish_ns;

	tear_down(state);
	set_up(state);
	record = *state;
	submit_all(record, NS_PER_S);
	vhdd_drive_advance(record->drive, NS_PER_S * 1000);
	assert_int_equal(record->finished, REQUESTS);
	assert_int_equal(record->order[REQUESTS - 1]->finish_ns, last_finish);
}

/*
 * Serves one of all requests and hands in one of class RT, which the block layer has issued at this time after the
 * answer, 250 us after it. Whether it is served next.
 */
static bool is_next_if_issued_at(struct record *record, int64_t after_answer_ns)
{
	struct vhdd_params params = sdc21();
	struct vhdd_request urgent = {.offset = 4096, .length = LENGTH, .ioprio = 1 << 13};
	int64_t answered;

	params.mode = VHDD_MODE_PRIO;
	params.prio_bonus_ns = NS_PER_S;
	vhdd_drive_set_params(record->drive, &params);
	submit_all(record, NS_PER_S);
	while (record->finished == 0)
		vhdd_drive_advance(record->drive, vhdd_drive_deadline_ns(record->drive));
	answered = record->order[0]->finish_ns;
	assert_int_equal(vhdd_drive_submit(record->drive, &urgent, answered + after_answer_ns,
					   answered + 250000),
			 0);
	assert_int_equal(urgent.arrival_ns, answered + after_answer_ns + params.path_ns);
	assert_int_equal(urgent.late_ns, 0);
	while (record->finished < REQUESTS)
		vhdd_drive_advance(record->drive, vhdd_drive_deadline_ns(record->drive));
	/* It is not served before it came. */
	assert_true(urgent.start_ns >= urgent.arrival_ns);
	return record->order[1] == &urgent;
}

/* A real drive would have had it by then, so that it took its time through FUSE must not matter. */
static void chooses_among_what_was_issued_in_time(void **state)
{
	const int64_t path_ns = sdc21().path_ns;

	assert_true(is_next_if_issued_at(*state, -path_ns));
	tear_down(state);
	set_up(state);
	assert_true(is_next_if_issued_at(*state, -path_ns - NS_PER_MS));
}

/* The drive chooses when it has answered, and knows nothing of what comes then. */
static void does_not_wait_for_the_hosts_next_request(void **state)
{
	const int64_t path_ns = sdc21().path_ns;

	assert_false(is_next_if_issued_at(*state, 1 - path_ns));
	tear_down(state);
	set_up(state);
	assert_false(is_next_if_issued_at(*state, 50000));
}

/* What comes too late for a choice that it was issued in time for does not make the next answer late. */
static void a_choice_is_not_undone(void **state)
{
	struct record *record = *state;
	struct vhdd_request first = {.offset = 0, .length = LENGTH};
	struct vhdd_request late = {.offset = 1 << 30, .length = LENGTH};

	assert_int_equal(submit(record, &first, NS_PER_S), 0);
	assert_int_equal(record->started, 1);
	assert_int_equal(vhdd_drive_submit(record->drive, &late, 0, NS_PER_S + 2 * NS_PER_MS), 0);
	assert_int_equal(late.arrival_ns, first.arrival_ns);
	assert_int_equal(late.late_ns, first.arrival_ns - sdc21().path_ns);
	assert_int_equal(first.late_ns, 0);
	assert_int_equal(record->started, 1);
}

/* The loop device sends nothing during a flush, like a real host: it is not late then. */
static void what_waits_for_a_flush_is_let_in_after_it(void **state)
{
	struct record *record = *state;
	struct vhdd_request before = {.offset = 0, .length = LENGTH};
	struct vhdd_request flush = {.flush = true};
	struct vhdd_request during = {.offset = 1 << 30, .length = LENGTH};

	assert_int_equal(submit(record, &before, NS_PER_S), 0);
	assert_int_equal(submit(record, &flush, NS_PER_S), 0);
	while (record->finished < 2)
		vhdd_drive_advance(record->drive, vhdd_drive_deadline_ns(record->drive));
	assert_ptr_equal(record->order[1], &flush);
	assert_true(flush.answer_ns > NS_PER_S + NS_PER_MS);
	assert_int_equal(vhdd_drive_submit(record->drive, &during, NS_PER_S, flush.answer_ns + NS_PER_MS), 0);
	assert_int_equal(during.arrival_ns, flush.answer_ns);
	assert_int_equal(during.late_ns, 0);
}

static void without_delays_it_finishes_at_once(void **state)
{
	struct record *record = *state;

	assert_int_equal(vhdd_drive_set_timed(record->drive, false, 0), 0);
	assert_false(vhdd_drive_timed(record->drive));
	record->requests[0].cdl.unavailable = true;
	submit_all(record, NS_PER_S);
	assert_int_equal(record->ended, 0);
	assert_int_equal(record->finished, REQUESTS);
	assert_int_equal(record->order[0]->finish_ns, NS_PER_S);
	assert_true(vhdd_drive_deadline_ns(record->drive) == INT64_MAX);
}

/* A disk hung here once: what was pending when delays went off was never looked at again. */
static void switching_delays_loses_nothing(void **state)
{
	struct record *record = *state;
	int64_t now = NS_PER_S;

	submit_all(record, now);
	vhdd_drive_advance(record->drive, vhdd_drive_deadline_ns(record->drive));
	assert_true(vhdd_drive_held(record->drive) > 0);
	assert_int_equal(vhdd_drive_set_timed(record->drive, false, now), 0);
	assert_int_equal(record->finished, REQUESTS);
	assert_int_equal(vhdd_drive_held(record->drive), 0);

	/* On again: the drive is idle, and not busy with what was drained. */
	now += NS_PER_MS;
	assert_int_equal(vhdd_drive_set_timed(record->drive, true, now), 0);
	record->started = 0;
	record->finished = 0;
	assert_int_equal(submit(record, &record->requests[0], now), 0);
	while (vhdd_drive_held(record->drive) > 0)
		vhdd_drive_advance(record->drive, vhdd_drive_deadline_ns(record->drive));
	assert_int_equal(record->finished, 1);
	assert_true(record->order[0]->finish_ns - now < 100 * NS_PER_MS);
}

/* Descriptor 1 lets a request wait this long; class RT has it. */
static void limit_the_wait(struct record *record, int64_t ns)
{
	struct vhdd_params params = sdc21();

	params.mode = VHDD_MODE_CDL;
	params.cdl_rt_hint = 1;
	params.cdl[0].inactive = (struct vhdd_cdl_limit){ns, VHDD_CDL_UNAVAILABLE};
	params.cdl[0].guideline.ns = 0;
	params.transport = VHDD_TRANSPORT_SAS;
	vhdd_drive_set_params(record->drive, &params);
}

static void ends_a_request_while_another_is_in_service(void **state)
{
	struct record *record = *state;
	struct vhdd_request first = {.offset = 0, .length = 1 << 20};
	struct vhdd_request limited = {.offset = 1 << 30, .length = LENGTH, .ioprio = 1 << 13};

	limit_the_wait(record, NS_PER_MS);
	assert_int_equal(submit(record, &first, NS_PER_S), 0);
	assert_int_equal(record->started, 1);
	assert_int_equal(submit(record, &limited, NS_PER_S), 0);
	assert_true(first.finish_ns > NS_PER_S + NS_PER_MS + 1);
	assert_int_equal(vhdd_drive_deadline_ns(record->drive), NS_PER_S + NS_PER_MS + 1);
	vhdd_drive_advance(record->drive, NS_PER_S + NS_PER_MS + 1);
	assert_int_equal(record->finished, 1);
	assert_ptr_equal(record->order[0], &limited);
	assert_true(limited.cdl.unavailable);
	assert_int_equal(vhdd_drive_held(record->drive), 1);
	vhdd_drive_advance(record->drive, vhdd_drive_deadline_ns(record->drive));
	assert_ptr_equal(record->order[1], &first);
	assert_int_equal(record->started, 1);
}

/* The daemon looks a little after it could choose; a limit that passes meanwhile has not passed by then. */
static void a_choice_of_an_earlier_time_goes_first(void **state)
{
	struct record *record = *state;
	struct vhdd_request first = {.offset = 0, .length = LENGTH};
	struct vhdd_request limited = {.offset = 1 << 30, .length = LENGTH, .ioprio = 1 << 13};

	assert_int_equal(submit(record, &first, NS_PER_S), 0);
	assert_int_equal(record->started, 1);
	limit_the_wait(record, first.finish_ns - first.arrival_ns + 1000);
	assert_int_equal(vhdd_drive_submit(record->drive, &limited, NS_PER_S, NS_PER_S + NS_PER_MS),
			 0);
	while (record->finished < 2)
		vhdd_drive_advance(record->drive, vhdd_drive_deadline_ns(record->drive));
	assert_ptr_equal(record->order[1], &limited);
	assert_false(limited.cdl.unavailable);
	assert_int_equal(limited.start_ns, first.finish_ns);
}

static void switching_delays_off_ends_nothing(void **state)
{
	struct record *record = *state;
	struct vhdd_request requests[8];

	limit_the_wait(record, NS_PER_MS);
	for (size_t i = 0; i < 8; i++) {
		requests[i] = (struct vhdd_request){
			.offset = i << 30, .length = LENGTH, .ioprio = 1 << 13};
		assert_int_equal(submit(record, &requests[i], NS_PER_S), 0);
	}
	assert_int_equal(vhdd_drive_set_timed(record->drive, false, NS_PER_S), 0);
	assert_int_equal(record->finished, 8);
	assert_int_equal(record->ended, 0);
}

static void refuses_what_is_outside_of_the_disk(void **state)
{
	struct record *record = *state;
	uint64_t size = vhdd_drive_params(record->drive)->size_bytes;
	struct vhdd_request request = {.offset = size, .length = 4096};

	for (int timed = 1; timed >= 0; timed--) {
		assert_int_equal(vhdd_drive_set_timed(record->drive, timed, 0), 0);
		request.offset = size;
		assert_int_not_equal(submit(record, &request, 0), 0);
		request.offset = UINT64_MAX - 511;
		assert_int_not_equal(submit(record, &request, 0), 0);
	}
	assert_int_equal(record->finished, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(finishes_each_when_it_is_due, set_up, tear_down),
		cmocka_unit_test_setup_teardown(begins_to_answer_reads_before_they_are_due, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(being_late_does_not_slow_it_down, set_up, tear_down),
		cmocka_unit_test_setup_teardown(chooses_among_what_was_issued_in_time, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(does_not_wait_for_the_hosts_next_request, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_choice_is_not_undone, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_waits_for_a_flush_is_let_in_after_it, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(without_delays_it_finishes_at_once, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(switching_delays_loses_nothing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(ends_a_request_while_another_is_in_service, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_choice_of_an_earlier_time_goes_first, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(switching_delays_off_ends_nothing, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(refuses_what_is_outside_of_the_disk, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
