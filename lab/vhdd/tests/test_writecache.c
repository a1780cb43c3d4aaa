// SPDX-License-Identifier: Apache-2.0
#include "unit.h"

#include "drive.h"
#include "geometry.h"
#include "model.h"
#include "rng.h"
#include "writecache.h"

#include <stdlib.h>
#include <string.h>

#define KIB4 4096u
#define KIB128 (128u << 10)
#define MIB (UINT64_C(1) << 20)
#define CACHE_BYTES (8 * MIB)
#define STRETCHES 32u

static struct vhdd_params with_cache(void)
{
	struct vhdd_params params = sdc21();

	params.write_cache_bytes = CACHE_BYTES;
	params.write_cache_stretches = STRETCHES;
	return params;
}

/* A model with a clock: does what is due, in its order, and hands out what is answered. */
struct run {
	struct vhdd_params params;
	struct vhdd_model *model;
	struct vhdd_request *in_service;
	int64_t now_ns;
};

static struct run new_run(const struct vhdd_params *params)
{
	struct run run = {.params = *params, .model = vhdd_model_new(params)};

	assert_non_null(run.model);
	return run;
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static void submit(struct run *run, struct vhdd_request *request, int64_t arrival_ns)
{
	assert_int_equal(vhdd_model_submit(run->model, request, arrival_ns), 0);
}

/* The next answer until then, or NULL. At equal times an answer goes before a choice. */
static struct vhdd_request *next_answer(struct run *run, int64_t until_ns)
{
	for (;;) {
		struct vhdd_request *request = run->in_service;
		int64_t served_ns = request == NULL ? INT64_MAX : request->finish_ns;
		int64_t end_ns = vhdd_model_next_end_ns(run->model);
		int64_t choice_ns = request == NULL ? vhdd_model_next_choice_ns(run->model)
						    : INT64_MAX;
		int64_t due_ns = earlier(served_ns, earlier(end_ns, choice_ns));

		if (due_ns > until_ns || due_ns == INT64_MAX)
			return NULL;
		assert_true(due_ns >= run->now_ns);
		run->now_ns = due_ns;
		if (due_ns == served_ns) {
			run->in_service = NULL;
			return request;
		}
		if (due_ns == end_ns) {
			request = vhdd_model_end(run->model, due_ns);
			assert_non_null(request);
			return request;
		}
		run->in_service = vhdd_model_next(run->model, due_ns);
	}
}

static struct vhdd_request write_at(uint64_t offset, uint32_t length)
{
	return (struct vhdd_request){.offset = offset, .length = length, .write = true};
}

static int64_t link_ns(const struct vhdd_params *params, uint32_t length)
{
	return (int64_t)((double)length / params->interface_bytes_per_s * 1e9 + 0.5);
}

static uint64_t random_offset(struct vhdd_rng *rng, const struct vhdd_params *params, uint32_t length)
{
	return vhdd_rng_below(rng, (params->size_bytes - length) / KIB4) * KIB4;
}

/* The most that one trip to write takes: over the full stroke, a revolution, and a track. */
static int64_t longest_trip_ns(const struct vhdd_params *params)
{
	int64_t revolution_ns = (int64_t)(60e9 / params->rpm);

	return params->seek_max_ns + params->write_settle_ns + 2 * revolution_ns +
	       params->track_switch_ns;
}

static void off_means_write_through(void **state)
{
	struct vhdd_params params = sdc21();
	struct vhdd_request write = write_at(1 << 30, KIB4);
	struct run run;

	(void)state;
	params.write_cache_bytes = 0;
	run = new_run(&params);
	submit(&run, &write, NS_PER_S);
	assert_true(vhdd_model_next_end_ns(run.model) == INT64_MAX);
	assert_ptr_equal(next_answer(&run, INT64_MAX), &write);
	assert_true(write.finish_ns - write.start_ns > params.seek_min_ns);
	vhdd_model_free(run.model);
}

static void a_write_is_answered_when_its_data_is_there(void **state)
{
	const struct vhdd_params params = with_cache();
	struct vhdd_request read = {.offset = 40ULL << 30, .length = KIB128};
	struct vhdd_request first = write_at(1 << 30, KIB128);
	struct vhdd_request second = write_at(2ULL << 30, KIB4);
	struct run run = new_run(&params);

	(void)state;
	/* The arm is busy with a read, and stays so. */
	submit(&run, &read, NS_PER_S);
	assert_null(next_answer(&run, NS_PER_S));
	assert_ptr_equal(run.in_service, &read);
	submit(&run, &first, NS_PER_S);
	submit(&run, &second, NS_PER_S);
	assert_ptr_equal(next_answer(&run, INT64_MAX), &first);
	assert_int_equal(first.finish_ns, NS_PER_S + params.overhead_ns + link_ns(&params, KIB128));
	/* One after the other over the interface. */
	assert_ptr_equal(next_answer(&run, INT64_MAX), &second);
	assert_int_equal(second.finish_ns, first.finish_ns + link_ns(&params, KIB4));
	assert_int_equal(second.start_ns, second.finish_ns);
	assert_ptr_equal(next_answer(&run, INT64_MAX), &read);
	assert_true(read.finish_ns > second.finish_ns);
	vhdd_model_free(run.model);
}

static void an_idle_drive_writes_all_out(void **state)
{
	const struct vhdd_params params = with_cache();
	struct vhdd_rng rng = {.state = 1};
	struct vhdd_request writes[8];
	struct run run = new_run(&params);
	struct vhdd_writecache_counts counts;

	(void)state;
	for (size_t i = 0; i < 8; i++) {
		writes[i] = write_at(random_offset(&rng, &params, KIB4), KIB4);
		submit(&run, &writes[i], NS_PER_S);
	}
	for (size_t i = 0; i < 8; i++)
		assert_ptr_equal(next_answer(&run, INT64_MAX), &writes[i]);
	assert_true(vhdd_model_writecache(run.model).dirty_bytes >= 7 * KIB4);
	assert_null(next_answer(&run, INT64_MAX));
	assert_true(vhdd_model_next_choice_ns(run.model) == INT64_MAX);
	counts = vhdd_model_writecache(run.model);
	assert_int_equal(counts.dirty_bytes, 0);
	assert_int_equal(counts.destages, 8);
	assert_int_equal(counts.destaged_bytes, 8 * KIB4);
	assert_true(counts.destage_ns > 0 && counts.destage_ns < 8 * longest_trip_ns(&params));
	vhdd_model_free(run.model);
}

/* The head reads ahead for a reader that comes back at once; what is dirty waits, as long as there is room. */
static void reading_ahead_goes_first(void **state)
{
	const struct vhdd_params params = with_cache();
	struct vhdd_request read = {.length = KIB128};
	struct vhdd_request write = write_at(1 << 30, KIB4);
	struct run run = new_run(&params);

	(void)state;
	submit(&run, &write, NS_PER_S);
	submit(&run, &read, NS_PER_S);
	assert_ptr_equal(next_answer(&run, INT64_MAX), &write);
	assert_ptr_equal(next_answer(&run, INT64_MAX), &read);
	for (int i = 1; i < 100; i++) {
		read.offset += KIB128;
		submit(&run, &read, run.now_ns + 60000);
		assert_ptr_equal(next_answer(&run, INT64_MAX), &read);
	}
	assert_int_equal(vhdd_model_writecache(run.model).destages, 0);
	assert_null(next_answer(&run, INT64_MAX));
	assert_int_equal(vhdd_model_writecache(run.model).destages, 1);
	vhdd_model_free(run.model);
}

/* So many writers, each with one write at a time: writes per second, and trips to write out per second. */
struct rates {
	double writes;
	double trips;
};

static struct rates saturate(struct run *run, uint32_t length, unsigned count, bool stream)
{
	struct vhdd_request *writes = calloc(STRETCHES, sizeof(*writes));
	struct vhdd_rng rng = {.state = 2};
	struct vhdd_writecache_counts before = {0};
	int64_t begin_ns = 0;
	uint64_t position = 0;
	unsigned warm_up = count / 4;

	assert_non_null(writes);
	for (size_t i = 0; i < STRETCHES; i++) {
		writes[i] = write_at(stream ? position : random_offset(&rng, &run->params, length),
				     length);
		position += length;
		submit(run, &writes[i], NS_PER_S);
	}
	for (unsigned i = 0; i < count; i++) {
		struct vhdd_request *write = next_answer(run, INT64_MAX);

		assert_non_null(write);
		assert_true(vhdd_model_writecache(run->model).dirty_bytes <= CACHE_BYTES);
		write->offset = stream ? position : random_offset(&rng, &run->params, length);
		position += length;
		submit(run, write, run->now_ns + 60000);
		if (i == warm_up) {
			begin_ns = run->now_ns;
			before = vhdd_model_writecache(run->model);
		}
	}
	while (vhdd_model_withdraw(run->model))
		;
	free(writes);
	return (struct rates){
		.writes = (count - warm_up) * 1e9 / (double)(run->now_ns - begin_ns),
		.trips = (double)(vhdd_model_writecache(run->model).destages - before.destages) *
			 1e9 / (double)(run->now_ns - begin_ns),
	};
}

static void a_full_cache_is_as_fast_as_the_arm(void **state)
{
	struct vhdd_params params = with_cache();
	struct run run = new_run(&params);
	struct rates few = saturate(&run, KIB4, 4000, false);
	struct rates many;

	(void)state;
	assert_near(few.writes, few.trips, few.trips / 100);
	vhdd_model_free(run.model);
	/* The more the arm has to choose from, the shorter its ways. */
	params.write_cache_stretches = 4 * STRETCHES;
	run = new_run(&params);
	many = saturate(&run, KIB4, 4000, false);
	assert_near(many.writes, many.trips, many.trips / 100);
	assert_true(many.writes > 1.2 * few.writes);
	vhdd_model_free(run.model);
}

static void a_stream_of_writes_reaches_the_media_rate(void **state)
{
	const struct vhdd_params params = with_cache();
	struct run run = new_run(&params);
	struct vhdd_geometry geometry;
	struct vhdd_place place;
	double media_rate;

	(void)state;
	vhdd_geometry_init(&geometry, &params);
	place = vhdd_geometry_locate(&geometry, 0);
	media_rate = vhdd_geometry_bytes_per_ns(&geometry, &place) * 1e9;
	assert_near(saturate(&run, KIB128, 8000, true).writes * KIB128, media_rate, media_rate / 50);
	vhdd_model_free(run.model);
}

/* Trips of a track each that begin where a track begins lose the time of the switch between them. */
static void writing_on_over_a_tracks_end_costs_the_switch(void **state)
{
	struct vhdd_params params = with_cache();
	struct vhdd_geometry geometry;
	struct vhdd_writecache cache;
	struct vhdd_request write = write_at(0, 32 * KIB4);
	struct vhdd_destage trip;

	(void)state;
	params.track_inner_bytes = 16 * KIB4;
	params.track_outer_bytes = 16 * KIB4;
	vhdd_geometry_init(&geometry, &params);
	assert_int_equal(vhdd_writecache_init(&cache, &params), 0);
	vhdd_writecache_wait(&cache, &write);
	vhdd_writecache_take(&cache, 0);
	trip = vhdd_writecache_choose(&cache, &geometry, 0, UINT64_MAX, 0);
	assert_int_equal(trip.length, 16 * KIB4);
	vhdd_writecache_destage(&cache, &trip, 0, 0);
	trip = vhdd_writecache_choose(&cache, &geometry, 0, 16 * KIB4, 0);
	assert_near(trip.positioning_ns, (double)params.track_switch_ns, 0);
	vhdd_writecache_destroy(&cache);
}

static void a_flush_waits_for_all_before_it_and_for_nothing_after_it(void **state)
{
	const struct vhdd_params params = with_cache();
	struct vhdd_rng rng = {.state = 3};
	struct vhdd_request read = {.offset = 50ULL << 30, .length = KIB128};
	struct vhdd_request flush = {.flush = true};
	struct vhdd_request after = write_at(3ULL << 30, KIB4);
	struct vhdd_request writes[16];
	struct run run = new_run(&params);
	struct vhdd_request *answered;

	(void)state;
	for (size_t i = 0; i < 16; i++) {
		writes[i] = write_at(random_offset(&rng, &params, KIB4), KIB4);
		submit(&run, &writes[i], NS_PER_S);
	}
	submit(&run, &read, NS_PER_S);
	submit(&run, &flush, NS_PER_S + 1);
	submit(&run, &after, NS_PER_S + 2);
	for (size_t i = 0; i < 17; i++) {
		answered = next_answer(&run, INT64_MAX);
		assert_ptr_not_equal(answered, &flush);
		assert_ptr_not_equal(answered, &after);
	}
	assert_ptr_equal(next_answer(&run, INT64_MAX), &flush);
	assert_int_equal(vhdd_model_writecache(run.model).dirty_bytes, 0);
	assert_int_equal(vhdd_model_writecache(run.model).destages, 16);
	assert_int_equal(flush.finish_ns, vhdd_model_free_ns(run.model));
	assert_true(flush.finish_ns > read.finish_ns);
	assert_ptr_equal(next_answer(&run, INT64_MAX), &after);
	assert_true(after.finish_ns >= flush.finish_ns + link_ns(&params, KIB4));
	vhdd_model_free(run.model);
}

/* Also with more writes before it than there is room for. */
static void a_flush_waits_for_writes_that_wait(void **state)
{
	const struct vhdd_params params = with_cache();
	struct vhdd_rng rng = {.state = 4};
	struct vhdd_request flush = {.flush = true};
	struct vhdd_request writes[3 * STRETCHES];
	struct run run = new_run(&params);

	(void)state;
	for (size_t i = 0; i < 3 * STRETCHES; i++) {
		writes[i] = write_at(random_offset(&rng, &params, KIB4), KIB4);
		submit(&run, &writes[i], NS_PER_S);
	}
	submit(&run, &flush, NS_PER_S);
	for (size_t i = 0; i < 3 * STRETCHES; i++)
		assert_ptr_equal(next_answer(&run, INT64_MAX), &writes[i]);
	assert_ptr_equal(next_answer(&run, INT64_MAX), &flush);
	assert_int_equal(vhdd_model_writecache(run.model).destages, 3 * STRETCHES);
	vhdd_model_free(run.model);
}

/* It interrupts the read-ahead that what is dirty would wait for otherwise. */
static void a_flush_does_not_wait_for_the_read_ahead(void **state)
{
	const struct vhdd_params params = with_cache();
	struct vhdd_request read = {.length = KIB128};
	struct vhdd_request write = write_at(1 << 30, KIB4);
	struct vhdd_request flush = {.flush = true};
	struct run run = new_run(&params);

	(void)state;
	submit(&run, &write, NS_PER_S);
	submit(&run, &read, NS_PER_S);
	next_answer(&run, INT64_MAX);
	assert_ptr_equal(next_answer(&run, INT64_MAX), &read);
	submit(&run, &flush, read.finish_ns + NS_PER_MS);
	assert_int_equal(vhdd_model_next_choice_ns(run.model), read.finish_ns + NS_PER_MS);
	assert_ptr_equal(next_answer(&run, INT64_MAX), &flush);
	assert_true(flush.finish_ns - flush.arrival_ns < longest_trip_ns(&params));
	vhdd_model_free(run.model);
}

static void a_flush_with_nothing_to_do_costs_its_overhead(void **state)
{
	const struct vhdd_params params = with_cache();
	struct vhdd_request flush = {.flush = true};
	struct run run = new_run(&params);

	(void)state;
	submit(&run, &flush, NS_PER_S);
	assert_ptr_equal(next_answer(&run, INT64_MAX), &flush);
	assert_int_equal(flush.finish_ns, NS_PER_S + params.overhead_ns);
	vhdd_model_free(run.model);
}

static void fua_and_what_does_not_fit_goes_to_the_medium(void **state)
{
	const struct vhdd_params params = with_cache();
	struct vhdd_request fua = write_at(1 << 30, KIB4);
	struct vhdd_request large = write_at(2ULL << 30, 2 * CACHE_BYTES);
	struct run run = new_run(&params);

	(void)state;
	fua.fua = true;
	submit(&run, &fua, NS_PER_S);
	assert_true(vhdd_model_next_end_ns(run.model) == INT64_MAX);
	assert_ptr_equal(next_answer(&run, INT64_MAX), &fua);
	assert_true(fua.finish_ns - fua.start_ns > params.seek_min_ns);
	submit(&run, &large, 2 * NS_PER_S);
	assert_true(vhdd_model_next_end_ns(run.model) == INT64_MAX);
	assert_ptr_equal(next_answer(&run, INT64_MAX), &large);
	assert_int_equal(vhdd_model_writecache(run.model).destages, 0);
	vhdd_model_free(run.model);
}

static void a_read_of_dirty_data_needs_no_arm(void **state)
{
	const struct vhdd_params params = with_cache();
	struct vhdd_request write = write_at(1 << 30, KIB128);
	struct vhdd_request keep_busy = {.offset = 40ULL << 30, .length = KIB128};
	struct vhdd_request inside = {.offset = (1 << 30) + KIB4, .length = KIB4};
	struct vhdd_request across = {.offset = (1 << 30) - KIB4, .length = 2 * KIB4};
	struct run run = new_run(&params);

	(void)state;
	submit(&run, &keep_busy, NS_PER_S);
	submit(&run, &write, NS_PER_S);
	assert_ptr_equal(next_answer(&run, INT64_MAX), &write);
	submit(&run, &inside, NS_PER_S + NS_PER_MS);
	submit(&run, &across, NS_PER_S + NS_PER_MS);
	assert_ptr_equal(next_answer(&run, INT64_MAX), &keep_busy);
	assert_ptr_equal(next_answer(&run, INT64_MAX), &inside);
	assert_int_equal(inside.finish_ns, keep_busy.finish_ns + link_ns(&params, KIB4));
	assert_ptr_equal(next_answer(&run, INT64_MAX), &across);
	assert_true(across.finish_ns - across.start_ns > params.seek_min_ns);
	vhdd_model_free(run.model);
}

/* Alone, a read waits for what the arm does, and then at most for one trip to write. */
static void a_read_beside_heavy_writes_waits_for_two_trips_at_most(void **state)
{
	const struct vhdd_params params = with_cache();
	struct vhdd_rng rng = {.state = 5};
	struct vhdd_request writes[STRETCHES];
	struct vhdd_request read = {.length = KIB128};
	struct run run = new_run(&params);
	int64_t longest_ns = 0;
	unsigned reads = 0;
	unsigned answers = 0;

	(void)state;
	for (size_t i = 0; i < STRETCHES; i++) {
		writes[i] = write_at(random_offset(&rng, &params, KIB128), KIB128);
		submit(&run, &writes[i], NS_PER_S);
	}
	read.offset = random_offset(&rng, &params, KIB128);
	submit(&run, &read, 2 * NS_PER_S);
	while (reads < 500) {
		struct vhdd_request *request = next_answer(&run, INT64_MAX);

		answers++;
		if (request == &read) {
			reads++;
			if (read.finish_ns - read.arrival_ns > longest_ns)
				longest_ns = read.finish_ns - read.arrival_ns;
		}
		request->offset = random_offset(&rng, &params, KIB128);
		submit(&run, request, run.now_ns + 60000);
	}
	assert_true(longest_ns < 3 * longest_trip_ns(&params));
	/* And the writes go on beside the reads: a trip for each. */
	assert_true(answers - reads > reads * 3 / 4);
	while (vhdd_model_withdraw(run.model))
		;
	vhdd_model_free(run.model);
}

#define BLOCKS 2000

/* What is dirty is what was written and not written out, whatever overlaps. */
static void keeps_account_of_what_is_dirty(void **state)
{
	struct vhdd_params params = with_cache();
	struct vhdd_rng rng = {.state = 6};
	struct vhdd_geometry geometry;
	struct vhdd_writecache cache;
	static bool dirty[BLOCKS];

	(void)state;
	params.track_inner_bytes = 16 * KIB4;
	params.track_outer_bytes = 16 * KIB4;
	params.write_cache_bytes = 300 * KIB4;
	vhdd_geometry_init(&geometry, &params);
	assert_int_equal(vhdd_writecache_init(&cache, &params), 0);
	for (int step = 0; step < 20000; step++) {
		uint64_t block = vhdd_rng_below(&rng, BLOCKS - 32);
		struct vhdd_request write =
			write_at(block * KIB4, (uint32_t)(1 + vhdd_rng_below(&rng, 32)) * KIB4);
		uint64_t bytes = 0;
		uint32_t stretches = 0;

		write.arrival_ns = step;
		vhdd_writecache_wait(&cache, &write);
		if (vhdd_writecache_take_ns(&cache, &params) == INT64_MAX) {
			struct vhdd_destage trip = vhdd_writecache_choose(&cache, &geometry, 0,
									  UINT64_MAX, step);

			assert_ptr_equal(vhdd_writecache_withdraw(&cache), &write);
			assert_true(trip.length > 0 && trip.length <= params.track_outer_bytes);
			vhdd_writecache_destage(&cache, &trip, step, step);
			memset(&dirty[trip.start / KIB4], false, trip.length / KIB4);
		} else {
			assert_ptr_equal(vhdd_writecache_take(&cache, step), &write);
			memset(&dirty[block], true, write.length / KIB4);
			assert_true(vhdd_writecache_has(&cache, write.offset, write.length));
		}
		for (size_t i = 0; i < BLOCKS; i++) {
			bytes += dirty[i] * KIB4;
			stretches += dirty[i] && (i == 0 || !dirty[i - 1]);
		}
		assert_int_equal(cache.bytes, bytes);
		assert_int_equal(cache.used, stretches);
		assert_true(cache.bytes <= cache.capacity_bytes && cache.used <= cache.capacity);
		assert_int_equal(vhdd_writecache_has(&cache, block * KIB4, KIB4), dirty[block]);
	}
	vhdd_writecache_destroy(&cache);
}

#define MIXED 20000

static struct vhdd_request random_request(struct vhdd_rng *rng, const struct vhdd_params *params)
{
	uint32_t length = (uint32_t)(1 + vhdd_rng_below(rng, 64)) * KIB4;
	struct vhdd_request request = {
		.offset = random_offset(rng, params, length),
		.length = length,
		.write = vhdd_rng_below(rng, 2),
		.ioprio = (uint16_t)(vhdd_rng_below(rng, 4) << 13 | vhdd_rng_below(rng, 8) << 3),
	};

	request.fua = request.write && vhdd_rng_below(rng, 8) == 0;
	if (vhdd_rng_below(rng, 100) == 0)
		request = (struct vhdd_request){.flush = true};
	return request;
}

/* Each is answered once, not before it came. */
static void no_request_is_lost_in(enum vhdd_mode mode)
{
	struct vhdd_params params = with_cache();
	struct vhdd_rng rng = {.state = 7 + mode};
	struct vhdd_request *requests = calloc(MIXED, sizeof(*requests));
	size_t submitted = 0;
	size_t answered = 0;
	struct run run;

	params.mode = mode;
	run = new_run(&params);
	run.now_ns = NS_PER_S;
	assert_non_null(requests);
	while (answered < MIXED) {
		size_t wanted = answered + 1 + vhdd_rng_below(&rng, 64);
		struct vhdd_request *request;

		while (submitted < MIXED && submitted < wanted) {
			requests[submitted] = random_request(&rng, &params);
			submit(&run, &requests[submitted++], run.now_ns);
		}
		request = next_answer(&run, INT64_MAX);
		assert_non_null(request);
		assert_null(request->owner);
		request->owner = requests; /* the mark of one that was answered */
		assert_true(request->start_ns >= request->arrival_ns);
		assert_true(request->finish_ns >= request->start_ns);
		assert_int_equal(request->finish_ns, run.now_ns);
		answered++;
	}
	assert_int_equal(submitted, MIXED);
	assert_int_equal(vhdd_model_queued(run.model), 0);
	vhdd_model_free(run.model);
	free(requests);
}

static void no_request_is_lost(void **state)
{
	(void)state;
	no_request_is_lost_in(VHDD_MODE_NCQ);
	no_request_is_lost_in(VHDD_MODE_PRIO);
	no_request_is_lost_in(VHDD_MODE_CDL);
}

static void on_start(void *context, struct vhdd_request *request)
{
	(void)request;
	++*(unsigned *)context;
}

static void on_finish(void *context, struct vhdd_request *request)
{
	(void)request;
	*(unsigned *)context += 1000;
}

static void finish_all(struct vhdd_drive *drive)
{
	while (vhdd_drive_deadline_ns(drive) != INT64_MAX)
		vhdd_drive_advance(drive, vhdd_drive_deadline_ns(drive));
}

/* What delays off finishes, and what was written out before, is counted on. */
static void the_drive_counts_across_a_switch_of_delays(void **state)
{
	const struct vhdd_params params = with_cache();
	struct vhdd_rng rng = {.state = 8};
	struct vhdd_request requests[3 * STRETCHES];
	unsigned told = 0;
	const struct vhdd_drive_events events = {
		.start = on_start, .finish = on_finish, .context = &told};
	struct vhdd_drive *drive = vhdd_drive_new(&params, &events);
	uint64_t destages;

	(void)state;
	assert_non_null(drive);
	for (size_t i = 0; i < 3 * STRETCHES; i++) {
		requests[i] = write_at(random_offset(&rng, &params, KIB4), KIB4);
		requests[i].flush = i % 40 == 39;
		assert_int_equal(vhdd_drive_submit(drive, &requests[i], NS_PER_S, NS_PER_S), 0);
	}
	vhdd_drive_advance(drive, NS_PER_S + 20 * NS_PER_MS);
	assert_true(vhdd_drive_held(drive) > 0);
	assert_int_equal(vhdd_drive_set_timed(drive, false, NS_PER_S + 20 * NS_PER_MS), 0);
	assert_int_equal(told, 3 * STRETCHES * 1001);
	assert_int_equal(vhdd_drive_held(drive), 0);
	requests[0].flush = true;
	requests[0].length = 0;
	assert_int_equal(vhdd_drive_submit(drive, &requests[0], 2 * NS_PER_S, 2 * NS_PER_S), 0);
	destages = vhdd_drive_writecache(drive).destages;
	assert_true(destages > 0);
	assert_int_equal(vhdd_drive_set_timed(drive, true, 3 * NS_PER_S), 0);
	assert_int_equal(vhdd_drive_writecache(drive).destages, destages);
	assert_int_equal(vhdd_drive_submit(drive, &requests[1], 3 * NS_PER_S, 3 * NS_PER_S), 0);
	finish_all(drive);
	assert_int_equal(vhdd_drive_writecache(drive).destages, destages + 1);
	assert_int_equal(vhdd_drive_writecache(drive).dirty_bytes, 0);
	vhdd_drive_free(drive);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(off_means_write_through),
		cmocka_unit_test(a_write_is_answered_when_its_data_is_there),
		cmocka_unit_test(an_idle_drive_writes_all_out),
		cmocka_unit_test(reading_ahead_goes_first),
		cmocka_unit_test(a_full_cache_is_as_fast_as_the_arm),
		cmocka_unit_test(a_stream_of_writes_reaches_the_media_rate),
		cmocka_unit_test(writing_on_over_a_tracks_end_costs_the_switch),
		cmocka_unit_test(a_flush_waits_for_all_before_it_and_for_nothing_after_it),
		cmocka_unit_test(a_flush_waits_for_writes_that_wait),
		cmocka_unit_test(a_flush_does_not_wait_for_the_read_ahead),
		cmocka_unit_test(a_flush_with_nothing_to_do_costs_its_overhead),
		cmocka_unit_test(fua_and_what_does_not_fit_goes_to_the_medium),
		cmocka_unit_test(a_read_of_dirty_data_needs_no_arm),
		cmocka_unit_test(a_read_beside_heavy_writes_waits_for_two_trips_at_most),
		cmocka_unit_test(keeps_account_of_what_is_dirty),
		cmocka_unit_test(no_request_is_lost),
		cmocka_unit_test(the_drive_counts_across_a_switch_of_delays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
