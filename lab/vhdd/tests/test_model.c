// SPDX-License-Identifier: Apache-2.0
#include "unit.h"

#include "geometry.h"
#include "model.h"
#include "rng.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define KIB128 (128u << 10)

/* Of writes that go to the medium; test_writecache.c has the others. */
static struct vhdd_params without_cache(void)
{
	struct vhdd_params params = sdc21();

	params.write_cache_bytes = 0;
	return params;
}

static struct vhdd_model *new_model(const struct vhdd_params *params)
{
	struct vhdd_model *model = vhdd_model_new(params);

	assert_non_null(model);
	return model;
}

/* Submits one request to an idle drive and serves it; returns when it is answered. */
static int64_t serve(struct vhdd_model *model, uint64_t offset, uint32_t length, bool write,
		     int64_t now_ns)
{
	struct vhdd_request request = {.offset = offset, .length = length, .write = write};

	assert_int_equal(vhdd_model_submit(model, &request, now_ns), 0);
	assert_ptr_equal(vhdd_model_next(model, vhdd_model_next_choice_ns(model)), &request);
	return request.finish_ns;
}

static void refuses_what_is_not_on_the_disk(void **state)
{
	struct vhdd_params params = sdc21();
	struct vhdd_model *model = new_model(&params);
	struct vhdd_request wrong[] = {
		{.offset = 0, .length = 0},
		{.offset = 0, .length = 513},
		{.offset = 100, .length = 512},
		{.offset = params.size_bytes, .length = 512},
		{.offset = params.size_bytes - 512, .length = 1024},
		{.offset = UINT64_MAX - 511, .length = 512},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(vhdd_model_submit(model, &wrong[i], 0), -EINVAL);
	assert_int_equal(vhdd_model_queued(model), 0);
	assert_null(vhdd_model_next(model, 0));
	vhdd_model_free(model);
	vhdd_model_free(NULL);
}

static void refuses_parameters_that_do_not_fit(void **state)
{
	struct vhdd_params params = sdc21();

	(void)state;
	params.seek_avg_ns = 0;
	assert_null(vhdd_model_new(&params));
	assert_int_equal(errno, EINVAL);
}

static void says_when_it_can_choose(void **state)
{
	struct vhdd_params params = sdc21();
	struct vhdd_model *model = new_model(&params);
	struct vhdd_request first = {.offset = 0, .length = 4096};
	struct vhdd_request second = {.offset = 1 << 30, .length = 4096};

	(void)state;
	assert_int_equal(vhdd_model_next_choice_ns(model), INT64_MAX);
	vhdd_model_submit(model, &first, 1000);
	assert_int_equal(vhdd_model_next_choice_ns(model), 1000);
	vhdd_model_next(model, 1000);
	assert_int_equal(vhdd_model_next_choice_ns(model), INT64_MAX);
	vhdd_model_submit(model, &second, 2000);
	assert_int_equal(vhdd_model_next_choice_ns(model), first.finish_ns);
	/* A caller that is too early gets what it would get in time. */
	vhdd_model_next(model, 2000);
	assert_int_equal(second.start_ns, first.finish_ns);
	/* An idle drive waits for what is to come. */
	vhdd_model_submit(model, &first, second.finish_ns + NS_PER_S);
	assert_int_equal(vhdd_model_next_choice_ns(model), second.finish_ns + NS_PER_S);
	vhdd_model_free(model);
}

/* The drive does not know that the reader of this stretch is about to read on. */
static void a_reader_that_comes_back_does_not_keep_the_arm(void **state)
{
	struct vhdd_params params = sdc21();
	struct vhdd_model *model = new_model(&params);
	struct vhdd_request first = {.offset = 0, .length = KIB128};
	struct vhdd_request others[] = {
		{.offset = 1ULL << 34, .length = KIB128},
		{.offset = 1ULL << 35, .length = KIB128},
	};
	struct vhdd_request next = {.offset = KIB128, .length = KIB128};

	(void)state;
	assert_int_equal(vhdd_model_submit(model, &first, 0), 0);
	assert_ptr_equal(vhdd_model_next(model, 0), &first);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(vhdd_model_submit(model, &others[i], first.finish_ns - NS_PER_MS),
				 0);
	assert_int_equal(vhdd_model_submit(model, &next, first.finish_ns + 250000), 0);
	assert_ptr_not_equal(vhdd_model_next(model, vhdd_model_next_choice_ns(model)), &next);
	/* By the next choice it has come, and reading on is not worth a seek back. */
	assert_int_equal(vhdd_model_queued(model), 2);
	vhdd_model_free(model);

	/* With nothing else to do the drive has read on until it came. */
	model = new_model(&params);
	assert_int_equal(vhdd_model_submit(model, &first, 0), 0);
	assert_ptr_equal(vhdd_model_next(model, 0), &first);
	assert_int_equal(vhdd_model_submit(model, &next, first.finish_ns + 250000), 0);
	assert_ptr_equal(vhdd_model_next(model, vhdd_model_next_choice_ns(model)), &next);
	assert_true(next.finish_ns - next.arrival_ns < NS_PER_MS);
	vhdd_model_free(model);
}

/* The caller may learn of requests in another order than the drive. */
static void requests_are_in_the_order_of_arrival(void **state)
{
	struct vhdd_params params = sdc21();
	struct vhdd_model *model;
	struct vhdd_request requests[] = {
		{.offset = 1ULL << 30, .length = KIB128},
		{.offset = 1ULL << 34, .length = KIB128},
		{.offset = 1ULL << 35, .length = KIB128},
		{.offset = 0, .length = KIB128},
	};
	static const int64_t arrivals_ns[] = {3000, 1000, 2000, 500};

	(void)state;
	params.queue_window = 1;
	model = new_model(&params);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(vhdd_model_submit(model, &requests[i], arrivals_ns[i]), 0);
	assert_int_equal(vhdd_model_next_choice_ns(model), 1000);
	assert_ptr_equal(vhdd_model_next(model, 1000), &requests[1]);
	/* It has come before, but the choice was made without it. */
	assert_int_equal(vhdd_model_submit(model, &requests[3], arrivals_ns[3]), 0);
	assert_int_equal(requests[3].arrival_ns, 1000);
	assert_int_equal(vhdd_model_next_choice_ns(model), requests[1].finish_ns);
	assert_ptr_equal(vhdd_model_next(model, 0), &requests[3]);
	assert_ptr_equal(vhdd_model_next(model, 0), &requests[2]);
	assert_ptr_equal(vhdd_model_next(model, 0), &requests[0]);
	vhdd_model_free(model);
}

/* Overhead, then at most a full seek and one revolution, then the transfer. */
static void random_read_is_within_bounds(void **state)
{
	struct vhdd_params params = sdc21();
	struct vhdd_model *model = new_model(&params);
	struct vhdd_rng rng = {.state = 3};
	struct vhdd_geometry geometry;
	int64_t now_ns = 0;

	(void)state;
	vhdd_geometry_init(&geometry, &params);
	for (int i = 0; i < 20000; i++) {
		struct vhdd_request request = {
			.offset = vhdd_rng_below(&rng, params.size_bytes / KIB128) * KIB128,
			.length = KIB128,
		};
		int64_t transfer = (int64_t)vhdd_geometry_transfer_ns(&geometry, request.offset,
								      KIB128);
		now_ns += NS_PER_S;
		assert_int_equal(vhdd_model_submit(model, &request, now_ns), 0);
		assert_non_null(vhdd_model_next(model, now_ns));
		/* A few are in the buffer. */
		assert_in_range(request.start_ns - now_ns, params.overhead_ns,
				params.overhead_ns + params.media_overhead_ns);
		assert_in_range(request.finish_ns - request.start_ns, 1,
				transfer + params.seek_max_ns + geometry.revolution_ns + 2);
	}
	vhdd_model_free(model);
}

/* Bytes per ns of one stream of reads, each asked 60 us after the last answer. */
static double stream_rate(struct vhdd_model *model, uint64_t offset, uint32_t length, bool write)
{
	int64_t now_ns = serve(model, offset, length, write, 0);
	int64_t begin_ns = now_ns;
	uint64_t bytes = 0;

	for (bytes = length; bytes < 64u << 20; bytes += length)
		now_ns = serve(model, offset + bytes, length, write, now_ns + 60000);
	return (double)(bytes - length) / (double)(now_ns - begin_ns);
}

static void sequential_read_reaches_the_media_rate(void **state)
{
	struct vhdd_params params = sdc21();
	struct vhdd_geometry geometry;
	uint64_t places[2] = {0, 0};

	(void)state;
	vhdd_geometry_init(&geometry, &params);
	places[1] = params.size_bytes - (80u << 20);
	for (size_t i = 0; i < 2; i++) {
		struct vhdd_model *model = new_model(&params);
		struct vhdd_place place = vhdd_geometry_locate(&geometry, places[i]);
		double media = vhdd_geometry_bytes_per_ns(&geometry, &place);
		assert_near(stream_rate(model, places[i], KIB128, false), media, 0.02 * media);
		vhdd_model_free(model);
	}
}

/* Without a write cache a stream of single writes misses its place by a revolution each time. */
static void single_writes_lose_revolutions(void **state)
{
	struct vhdd_params params = without_cache();
	struct vhdd_model *model = new_model(&params);
	double revolution = 60e9 / params.rpm;
	double per_write = KIB128 / stream_rate(model, 0, KIB128, true);

	(void)state;
	assert_true(per_write >= revolution);
	assert_true(per_write <= 2 * revolution + 2e6);
	vhdd_model_free(model);
}

static void queued_writes_reach_the_media_rate(void **state)
{
	enum { WRITES = 32 };
	const uint32_t length = 1u << 20;
	struct vhdd_params params = without_cache();
	struct vhdd_model *model = new_model(&params);
	struct vhdd_request writes[WRITES] = {{0}};
	struct vhdd_geometry geometry;
	struct vhdd_place place;
	double stream_ns;
	int64_t begin_ns = INT64_MAX;
	int64_t end_ns = 0;

	(void)state;
	vhdd_geometry_init(&geometry, &params);
	place = vhdd_geometry_locate(&geometry, 0);
	stream_ns = (double)WRITES * length / vhdd_geometry_bytes_per_ns(&geometry, &place);
	for (size_t i = 0; i < WRITES; i++) {
		writes[i] = (struct vhdd_request){
			.offset = i * length, .length = length, .write = true};
		assert_int_equal(vhdd_model_submit(model, &writes[i], 0), 0);
	}
	for (size_t i = 0; i < WRITES; i++) {
		struct vhdd_request *request =
			vhdd_model_next(model, vhdd_model_next_choice_ns(model));
		begin_ns = request->start_ns < begin_ns ? request->start_ns : begin_ns;
		end_ns = request->finish_ns;
	}
	/* The stream may begin in the middle, so it is positioned at most twice. */
	assert_in_range(end_ns - begin_ns, (int64_t)(0.99 * stream_ns),
			(int64_t)(1.01 * stream_ns) + 3 * geometry.revolution_ns);
	vhdd_model_free(model);
}

static void slow_reader_is_served_from_the_buffer(void **state)
{
	struct vhdd_params params = sdc21();
	struct vhdd_model *model = new_model(&params);
	int64_t now_ns = serve(model, 0, KIB128, false, 0);

	(void)state;
	/* Far longer than the read-ahead: it must have gone on with each read. */
	for (uint64_t offset = KIB128; offset < 32u << 20; offset += KIB128) {
		int64_t asked_ns = now_ns + 20 * NS_PER_MS;
		now_ns = serve(model, offset, KIB128, false, asked_ns);
		assert_true(now_ns - asked_ns < NS_PER_MS);
	}
	vhdd_model_free(model);
}

static void buffer_keeps_past_reads(void **state)
{
	struct vhdd_params params = sdc21();
	struct vhdd_model *model = new_model(&params);
	int64_t asked_ns = serve(model, 0, KIB128, false, 0) + NS_PER_S;
	double from_buffer_ns = (double)params.overhead_ns +
				KIB128 / params.interface_bytes_per_s * 1e9;

	(void)state;
	asked_ns = serve(model, 1ULL << 34, KIB128, false, asked_ns) + NS_PER_S;
	assert_near((double)(serve(model, 0, KIB128, false, asked_ns) - asked_ns), from_buffer_ns,
		    2);
	/* Until as many other reads have pushed it out. */
	for (uint64_t i = 0; i <= params.segments; i++)
		asked_ns = serve(model, (2 + i) << 30, KIB128, false, asked_ns) + NS_PER_S;
	assert_true(serve(model, 0, KIB128, false, asked_ns) - asked_ns > 2 * from_buffer_ns);
	vhdd_model_free(model);
}

static void without_segments_nothing_is_kept(void **state)
{
	struct vhdd_params params = sdc21();
	struct vhdd_model *model;
	int64_t asked_ns;

	(void)state;
	params.segments = 0;
	params.readahead_bytes = 0;
	model = new_model(&params);
	asked_ns = serve(model, 0, KIB128, false, 0) + NS_PER_S;
	asked_ns = serve(model, 1ULL << 34, KIB128, false, asked_ns) + NS_PER_S;
	assert_true(serve(model, 0, KIB128, false, asked_ns) - asked_ns > NS_PER_MS);
	vhdd_model_free(model);
}

static void live_change_leaves_the_disk(void **state)
{
	struct vhdd_params params = sdc21();
	struct vhdd_params other = sdc21();
	struct vhdd_model *model = new_model(&params);
	struct vhdd_request last = {.offset = params.size_bytes - 512, .length = 512};

	(void)state;
	other.size_bytes = 1 << 20;
	other.overhead_ns = 5 * NS_PER_MS;
	other.media_overhead_ns = NS_PER_MS;
	other.queue_window = 1;
	vhdd_model_set_params(model, &other);
	assert_int_equal(vhdd_model_submit(model, &last, 0), 0);
	vhdd_model_next(model, 0);
	assert_int_equal(last.start_ns, other.overhead_ns + other.media_overhead_ns);
	vhdd_model_free(model);
}

/* A model in mode cdl whose descriptor 1 has these limits. */
static struct vhdd_model *limited_model(const struct vhdd_cdl_descriptor *descriptor)
{
	struct vhdd_params params = without_cache();

	params.mode = VHDD_MODE_CDL;
	params.cdl[0] = *descriptor;
	return new_model(&params);
}

#define HINT_1 (1 << 3)

static void inactive_time_ends_what_waits(void **state)
{
	const struct vhdd_cdl_descriptor descriptor = {.inactive = {NS_PER_MS, VHDD_CDL_UNAVAILABLE}};
	struct vhdd_model *model = limited_model(&descriptor);
	struct vhdd_request unlimited[2] = {
		{.offset = 0, .length = KIB128},
		{.offset = 1ULL << 30, .length = KIB128},
	};
	struct vhdd_request limited = {.offset = 1ULL << 34, .length = KIB128, .ioprio = HINT_1};
	int64_t end_ns = NS_PER_MS + 1;

	(void)state;
	assert_int_equal(vhdd_model_submit(model, &unlimited[0], 0), 0);
	assert_ptr_equal(vhdd_model_next(model, 0), &unlimited[0]);
	assert_int_equal(vhdd_model_submit(model, &limited, 0), 0);
	assert_int_equal(vhdd_model_submit(model, &unlimited[1], 0), 0);
	assert_true(unlimited[0].finish_ns > end_ns);
	assert_int_equal(vhdd_model_next_end_ns(model), end_ns);
	assert_null(vhdd_model_end(model, end_ns - 1));
	assert_ptr_equal(vhdd_model_end(model, end_ns), &limited);
	assert_int_equal(limited.finish_ns, end_ns);
	assert_true(limited.cdl.unavailable);
	assert_int_equal(limited.cdl.inactive, 1);
	/* The others have not noticed. */
	assert_true(vhdd_model_next_end_ns(model) == INT64_MAX);
	assert_null(vhdd_model_end(model, NS_PER_S));
	assert_int_equal(vhdd_model_queued(model), 1);
	assert_ptr_equal(vhdd_model_next(model, vhdd_model_next_choice_ns(model)), &unlimited[1]);
	assert_false(unlimited[1].cdl.unavailable);
	assert_int_equal(unlimited[1].cdl.used, 0);
	vhdd_model_free(model);
}

static void active_time_ends_what_is_in_service(void **state)
{
	struct vhdd_cdl_descriptor descriptor = {.active = {100000, VHDD_CDL_UNAVAILABLE}};
	struct vhdd_model *model = limited_model(&descriptor);
	struct vhdd_request request = {.offset = 1ULL << 34, .length = KIB128, .ioprio = HINT_1};
	struct vhdd_request next = {.offset = 1ULL << 30, .length = KIB128};

	(void)state;
	assert_int_equal(vhdd_model_submit(model, &request, 0), 0);
	assert_ptr_equal(vhdd_model_next(model, 0), &request);
	assert_int_equal(request.finish_ns - request.start_ns, 100001);
	assert_true(request.cdl.unavailable);
	assert_int_equal(request.cdl.active, 1);
	/* The drive is free for the next one then; what was not read is not in the buffer. */
	assert_int_equal(vhdd_model_submit(model, &next, request.finish_ns), 0);
	assert_int_equal(vhdd_model_next_choice_ns(model), request.finish_ns);
	assert_ptr_equal(vhdd_model_next(model, NS_PER_S), &next);
	assert_true(serve(model, request.offset, KIB128, false, 2 * NS_PER_S) - 2 * NS_PER_S >
		    NS_PER_MS);
	vhdd_model_free(model);

	descriptor.active.policy = VHDD_CDL_EARLIEST;
	model = limited_model(&descriptor);
	assert_int_equal(vhdd_model_submit(model, &request, 0), 0);
	assert_ptr_equal(vhdd_model_next(model, 0), &request);
	assert_true(request.finish_ns - request.start_ns > 100001);
	assert_false(request.cdl.unavailable);
	assert_int_equal(request.cdl.active, 1);
	vhdd_model_free(model);
}

static void active_time_ends_a_read_from_the_buffer(void **state)
{
	const struct vhdd_cdl_descriptor descriptor = {.active = {1000, VHDD_CDL_UNAVAILABLE}};
	struct vhdd_model *model = limited_model(&descriptor);
	struct vhdd_request request = {.offset = 0, .length = KIB128, .ioprio = HINT_1};
	int64_t now_ns = serve(model, 0, KIB128, false, 0) + NS_PER_S;

	(void)state;
	assert_int_equal(vhdd_model_submit(model, &request, now_ns), 0);
	assert_ptr_equal(vhdd_model_next(model, now_ns), &request);
	assert_true(request.cdl.unavailable);
	assert_int_equal(request.finish_ns - request.start_ns, 1001);
	vhdd_model_free(model);
}

/* After it the head is elsewhere: a write that would have gone on where the last one ended must seek. */
static void a_command_that_is_cut_short_interrupts_a_stream(void **state)
{
	const struct vhdd_cdl_descriptor descriptor = {.active = {100000, VHDD_CDL_UNAVAILABLE}};
	struct vhdd_params params = sdc21();
	struct vhdd_model *model = limited_model(&descriptor);
	struct vhdd_request cut = {
		.offset = 1ULL << 34, .length = KIB128, .write = true, .ioprio = HINT_1};
	struct vhdd_request next = {.offset = KIB128, .length = KIB128, .write = true};
	struct vhdd_geometry geometry;

	(void)state;
	vhdd_geometry_init(&geometry, &params);
	serve(model, 0, KIB128, true, 0);
	assert_int_equal(vhdd_model_submit(model, &cut, NS_PER_S), 0);
	assert_ptr_equal(vhdd_model_next(model, NS_PER_S), &cut);
	assert_true(cut.cdl.unavailable);
	assert_int_equal(vhdd_model_submit(model, &next, NS_PER_S), 0);
	assert_ptr_equal(vhdd_model_next(model, NS_PER_S), &next);
	assert_true((double)(next.finish_ns - next.start_ns) >
		    vhdd_geometry_transfer_ns(&geometry, next.offset, KIB128) +
			    (double)params.seek_min_ns);
	vhdd_model_free(model);
}

static void limits_are_of_mode_cdl_only(void **state)
{
	const struct vhdd_cdl_limit at_once = {1, VHDD_CDL_UNAVAILABLE};
	struct vhdd_params params = sdc21();
	struct vhdd_request request = {.offset = 1ULL << 34, .length = KIB128, .ioprio = HINT_1};
	struct vhdd_model *model;

	(void)state;
	params.cdl[0] = (struct vhdd_cdl_descriptor){at_once, at_once, at_once};
	model = new_model(&params);
	assert_int_equal(vhdd_model_submit(model, &request, 0), 0);
	assert_true(vhdd_model_next_end_ns(model) == INT64_MAX);
	assert_ptr_equal(vhdd_model_next(model, 0), &request);
	assert_false(request.cdl.unavailable);
	assert_int_equal(request.cdl.used, 0);
	/* A hint that names no descriptor is none. */
	params.mode = VHDD_MODE_CDL;
	vhdd_model_set_params(model, &params);
	request.ioprio = (VHDD_CDL_DESCRIPTORS + 1) << 3;
	assert_int_equal(vhdd_model_submit(model, &request, NS_PER_S), 0);
	assert_ptr_equal(vhdd_model_next(model, NS_PER_S), &request);
	assert_int_equal(request.cdl.used, 0);
	vhdd_model_free(model);
}

#define LOST_REQUESTS 100000
#define LOST_DEPTH 100

/*
 * Random reads and writes of random sizes at random depths: each is served exactly once, not before
 * it arrived, and the drive does one thing at a time.
 */
static void no_request_is_lost_in(enum vhdd_mode mode)
{
	struct vhdd_params params = without_cache();
	struct vhdd_rng rng = {.state = 11 + mode};
	struct vhdd_request *requests = calloc(LOST_REQUESTS, sizeof(*requests));
	struct vhdd_model *model;
	size_t submitted = 0;
	size_t served = 0;
	int64_t now_ns = NS_PER_S;
	int64_t free_ns = 0;

	params.mode = mode;
	model = new_model(&params);
	assert_non_null(requests);
	while (served < LOST_REQUESTS) {
		size_t wanted = vhdd_rng_below(&rng, LOST_DEPTH);
		while (submitted < LOST_REQUESTS && vhdd_model_queued(model) < wanted) {
			struct vhdd_request *request = &requests[submitted++];
			uint64_t blocks = 1 + vhdd_rng_below(&rng, 512);
			request->length = (uint32_t)blocks * 4096;
			request->offset =
				vhdd_rng_below(&rng, params.size_bytes / 4096 - blocks) * 4096;
			request->write = vhdd_rng_below(&rng, 4) == 0;
			request->ioprio = (uint16_t)(vhdd_rng_below(&rng, 4) << 13 |
						     vhdd_rng_below(&rng, 8) << 3 |
						     vhdd_rng_below(&rng, 8));
			assert_int_equal(vhdd_model_submit(model, request, now_ns), 0);
		}
		int64_t choice_ns = vhdd_model_next_choice_ns(model);
		if (choice_ns == INT64_MAX)
			continue;
		now_ns = choice_ns > now_ns ? choice_ns : now_ns;
		struct vhdd_request *request = vhdd_model_next(model, now_ns);
		assert_non_null(request);
		assert_null(request->owner);
		request->owner = requests; /* the mark of one that was served */
		assert_true(request->start_ns >= request->arrival_ns);
		assert_true(request->start_ns >= free_ns);
		assert_true(request->finish_ns > request->start_ns);
		free_ns = request->finish_ns;
		served++;
	}
	assert_int_equal(submitted, LOST_REQUESTS);
	assert_int_equal(vhdd_model_queued(model), 0);
	for (size_t i = 0; i < LOST_REQUESTS; i++)
		assert_ptr_equal(requests[i].owner, requests);
	vhdd_model_free(model);
	free(requests);
}

static void no_request_is_lost(void **state)
{
	(void)state;
	no_request_is_lost_in(VHDD_MODE_NCQ);
	no_request_is_lost_in(VHDD_MODE_PRIO);
	no_request_is_lost_in(VHDD_MODE_CDL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_what_is_not_on_the_disk),
		cmocka_unit_test(refuses_parameters_that_do_not_fit),
		cmocka_unit_test(says_when_it_can_choose),
		cmocka_unit_test(a_reader_that_comes_back_does_not_keep_the_arm),
		cmocka_unit_test(requests_are_in_the_order_of_arrival),
		cmocka_unit_test(random_read_is_within_bounds),
		cmocka_unit_test(sequential_read_reaches_the_media_rate),
		cmocka_unit_test(single_writes_lose_revolutions),
		cmocka_unit_test(queued_writes_reach_the_media_rate),
		cmocka_unit_test(slow_reader_is_served_from_the_buffer),
		cmocka_unit_test(buffer_keeps_past_reads),
		cmocka_unit_test(without_segments_nothing_is_kept),
		cmocka_unit_test(live_change_leaves_the_disk),
		cmocka_unit_test(inactive_time_ends_what_waits),
		cmocka_unit_test(active_time_ends_what_is_in_service),
		cmocka_unit_test(active_time_ends_a_read_from_the_buffer),
		cmocka_unit_test(a_command_that_is_cut_short_interrupts_a_stream),
		cmocka_unit_test(limits_are_of_mode_cdl_only),
		cmocka_unit_test(no_request_is_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
