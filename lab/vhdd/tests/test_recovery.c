// SPDX-License-Identifier: Apache-2.0
/* What it costs that a drive gives up a command: a host that always has as many requests at the drive. */
#include "unit.h"

#include "drive.h"
#include "rng.h"

#include <stdio.h>
#include <stdlib.h>

#define DEPTH 32
#define LENGTH 131072u
#define LIMIT_NS (40 * NS_PER_MS)
#define GIVEN_UP 50
#define RT (1 << 13)

struct host {
	struct vhdd_drive *drive;
	struct vhdd_rng rng;
	struct vhdd_request requests[DEPTH];
	int64_t submit_ns[DEPTH];
	int64_t now_ns;
	size_t done[2 * DEPTH]; /* those to be sent again */
	size_t done_count;
	bool keep_on;
	bool far; /* the first request is far from all others, so that it is chosen last */
	int64_t closed_ns; /* when the first was given up of those that are not answered; 0: none was */
	unsigned given_up;
	int64_t etime_ns; /* all times until ETIME, together */
	int64_t etime_max_ns;
	int64_t gap_ns; /* from a request that was given up to the next one let in */
	int64_t gap_max_ns;
};

static size_t index_of(const struct host *host, const struct vhdd_request *request)
{
	return (size_t)(request - host->requests);
}

static void on_start(void *context, struct vhdd_request *request)
{
	struct host *host = context;
	int64_t submitted_ns = host->submit_ns[index_of(host, request)];
	int64_t gap_ns = request->start_ns - host->closed_ns;

	if (host->closed_ns == 0 || submitted_ns < host->closed_ns)
		return;
	host->gap_ns += gap_ns;
	host->gap_max_ns = gap_ns > host->gap_max_ns ? gap_ns : host->gap_max_ns;
	host->closed_ns = 0;
}

static void on_finish(void *context, struct vhdd_request *request)
{
	struct host *host = context;
	int64_t took_ns = host->now_ns - request->arrival_ns;

	host->done[host->done_count++] = index_of(host, request);
	if (!request->cdl.unavailable)
		return;
	host->given_up++;
	host->etime_ns += took_ns;
	host->etime_max_ns = took_ns > host->etime_max_ns ? took_ns : host->etime_max_ns;
	if (host->closed_ns == 0 || request->finish_ns < host->closed_ns)
		host->closed_ns = request->finish_ns;
}

static void submit(struct host *host, size_t index)
{
	struct vhdd_request *request = &host->requests[index];
	uint64_t places = vhdd_drive_params(host->drive)->size_bytes / LENGTH;
	uint64_t place = vhdd_rng_below(&host->rng, host->far ? places / 50 : places);

	/* The first one is at real-time, which has the limit. */
	*request = (struct vhdd_request){
		.offset = (host->far && index == 0 ? places - 1 : place) * LENGTH,
		.length = LENGTH,
		.ioprio = index == 0 ? RT : 0,
	};
	host->submit_ns[index] = host->now_ns;
	assert_int_equal(vhdd_drive_submit(host->drive, request, host->now_ns, host->now_ns), 0);
}

static void step(struct host *host)
{
	host->now_ns = vhdd_drive_deadline_ns(host->drive);
	vhdd_drive_advance(host->drive, host->now_ns);
	while (host->keep_on && host->done_count > 0)
		submit(host, host->done[--host->done_count]);
}

static struct host *host_of(const char *transport, bool far)
{
	struct host *host = calloc(1, sizeof(*host));
	const struct vhdd_drive_events events = {
		.start = on_start, .finish = on_finish, .context = host};
	struct vhdd_params params = sdc21();
	char error[256];

	params.path_ns = 0;
	params.mode = VHDD_MODE_CDL;
	params.cdl_rt_hint = 1;
	params.cdl[0].inactive = (struct vhdd_cdl_limit){LIMIT_NS, VHDD_CDL_UNAVAILABLE};
	params.cdl[0].guideline.ns = 0;
	if (transport != NULL)
		assert_int_equal(vhdd_params_set(&params, "transport", transport, error,
						 sizeof(error)), 0);
	host->drive = vhdd_drive_new(&params, &events);
	assert_non_null(host->drive);
	host->rng.state = 1;
	host->now_ns = NS_PER_S;
	host->keep_on = true;
	host->far = far;
	/* The first one last: the drive begins at once with what it is sent first. */
	for (size_t i = DEPTH; i-- > 0;)
		submit(host, i);
	return host;
}

static void free_host(struct host *host)
{
	vhdd_drive_free(host->drive);
	free(host);
}

static void give_up(struct host *host, unsigned times)
{
	while (host->given_up < times)
		step(host);
}

static void print(const char *transport, const struct host *host)
{
	print_message("%s, depth %d, limit 40 ms: ETIME after %.1f ms (most %.1f); next one let in begins "
		      "%.1f ms after (most %.1f)\n", transport, DEPTH,
		      (double)host->etime_ns / host->given_up / 1e6, (double)host->etime_max_ns / 1e6,
		      (double)host->gap_ns / host->given_up / 1e6, (double)host->gap_max_ns / 1e6);
}

/* All 31 others end first, and alone: without new ones the drive has less and less choice. */
static void sata_closes_the_drive_until_its_queue_is_empty(void **state)
{
	struct host *host = host_of(NULL, false);

	(void)state;
	give_up(host, GIVEN_UP);
	print("sata", host);
	assert_in_range(host->etime_ns / host->given_up - LIMIT_NS, 120 * NS_PER_MS,
			350 * NS_PER_MS);
	assert_in_range(host->gap_ns / host->given_up, 120 * NS_PER_MS, 350 * NS_PER_MS);
	free_host(host);
}

static void sas_ends_it_alone(void **state)
{
	struct host *host = host_of("sas", false);

	(void)state;
	give_up(host, GIVEN_UP);
	print("sas", host);
	assert_in_range(host->etime_max_ns, LIMIT_NS + 1, LIMIT_NS + NS_PER_MS);
	/* A new one is one among 32, and begins when it is chosen; some soon. */
	assert_true(host->gap_ns / host->given_up < 30 * NS_PER_MS);
	free_host(host);
}

/* A host whose first request the drive has given up, which is not answered yet. */
static struct host *host_in_recovery(void)
{
	struct host *host = host_of(NULL, true);

	host->keep_on = false;
	while (!host->requests[0].cdl.unavailable) {
		step(host);
		assert_true(host->done_count < DEPTH);
	}
	assert_int_equal(host->given_up, 0);
	return host;
}

static void what_comes_meanwhile_goes_after_the_end(void **state)
{
	struct host *host = host_in_recovery();
	struct vhdd_request late = {.offset = 0, .length = LENGTH};
	struct vhdd_request wrong = {.offset = UINT64_MAX - 511, .length = LENGTH};
	int64_t last_ns = 0;

	(void)state;
	assert_true(vhdd_drive_submit(host->drive, &wrong, host->now_ns, host->now_ns) != 0);
	host->requests[host->done[0]] = late;
	host->submit_ns[host->done[0]] = host->now_ns;
	assert_int_equal(vhdd_drive_submit(host->drive, &host->requests[host->done[0]],
					   host->now_ns, host->now_ns), 0);
	while (host->given_up == 0)
		step(host);
	for (size_t i = 1; i < DEPTH; i++)
		if (i != host->done[0] && host->requests[i].finish_ns > last_ns)
			last_ns = host->requests[i].finish_ns;
	assert_true(host->now_ns > last_ns);
	assert_true(host->requests[0].cdl.unavailable);
	/* The drive ended with it then; the answer came now. */
	assert_int_equal(host->requests[0].finish_ns, NS_PER_S + LIMIT_NS + 1);
	assert_int_equal(host->requests[0].answer_ns, host->now_ns);
	assert_int_equal(vhdd_drive_held(host->drive), 1);
	while (vhdd_drive_held(host->drive) > 0)
		step(host);
	assert_true(host->requests[host->done[0]].start_ns >= host->requests[0].answer_ns);
	assert_true(vhdd_drive_deadline_ns(host->drive) == INT64_MAX);
	free_host(host);
}

/* The limits of others pass while the queue runs empty. */
static void what_is_given_up_meanwhile_ends_with_it(void **state)
{
	struct host *host = host_of(NULL, false);

	(void)state;
	host->keep_on = false;
	for (size_t i = 0; i < DEPTH; i++)
		host->requests[i].ioprio = RT;
	while (host->given_up == 0)
		step(host);
	assert_true(host->given_up > 1);
	assert_int_equal(host->done_count, DEPTH);
	assert_int_equal(vhdd_drive_held(host->drive), 0);
	free_host(host);
}

static void switching_delays_off_answers_all(void **state)
{
	struct host *host = host_in_recovery();
	struct vhdd_request *late;

	(void)state;
	late = &host->requests[host->done[0]];
	*late = (struct vhdd_request){.length = LENGTH};
	host->done_count = 0;
	assert_int_equal(vhdd_drive_submit(host->drive, late, host->now_ns, host->now_ns), 0);
	assert_int_equal(vhdd_drive_set_timed(host->drive, false, host->now_ns), 0);
	assert_int_equal(vhdd_drive_held(host->drive), 0);
	assert_int_equal(host->given_up, 1);
	assert_int_equal(vhdd_drive_set_timed(host->drive, true, host->now_ns), 0);
	assert_true(vhdd_drive_deadline_ns(host->drive) == INT64_MAX);
	assert_int_equal(vhdd_drive_submit(host->drive, late, host->now_ns, host->now_ns), 0);
	assert_true(vhdd_drive_deadline_ns(host->drive) != INT64_MAX);
	while (vhdd_drive_held(host->drive) > 0)
		step(host);
	free_host(host);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sata_closes_the_drive_until_its_queue_is_empty),
		cmocka_unit_test(sas_ends_it_alone),
		cmocka_unit_test(what_comes_meanwhile_goes_after_the_end),
		cmocka_unit_test(what_is_given_up_meanwhile_ends_with_it),
		cmocka_unit_test(switching_delays_off_answers_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
