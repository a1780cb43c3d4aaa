// SPDX-License-Identifier: Apache-2.0
#include "unit.h"

#include "ioprio.h"
#include "model.h"
#include "rng.h"

#include <stdlib.h>

#define WINDOW 32
#define READ_BYTES 4096u

/* A full queue of random reads that is filled up again after each choice. */
struct load {
	struct vhdd_params params;
	struct vhdd_model *model;
	struct vhdd_rng rng;
	struct vhdd_request requests[WINDOW];
	int64_t now_ns;
};

static void ask(struct load *load, struct vhdd_request *request, uint16_t ioprio)
{
	uint64_t blocks = load->params.size_bytes / READ_BYTES;

	*request = (struct vhdd_request){
		.offset = vhdd_rng_below(&load->rng, blocks) * READ_BYTES,
		.length = READ_BYTES,
		.ioprio = ioprio,
	};
	assert_int_equal(vhdd_model_submit(load->model, request, load->now_ns), 0);
}

static struct load *begin(const struct vhdd_params *params)
{
	struct load *load = calloc(1, sizeof(*load));

	assert_non_null(load);
	load->params = *params;
	load->model = vhdd_model_new(params);
	assert_non_null(load->model);
	load->rng.state = 5;
	return load;
}

static void end(struct load *load)
{
	vhdd_model_free(load->model);
	free(load);
}

static struct vhdd_request *next(struct load *load)
{
	struct vhdd_request *request;

	load->now_ns = vhdd_model_next_choice_ns(load->model);
	request = vhdd_model_next(load->model, load->now_ns);
	assert_non_null(request);
	load->now_ns = request->finish_ns;
	return request;
}

static const uint16_t rt = HPRIO_CLASS_RT << 13;
static const uint16_t be = HPRIO_CLASS_BE << 13 | 4;

static struct vhdd_params mode(enum vhdd_mode mode)
{
	struct vhdd_params params = sdc21();

	params.mode = mode;
	return params;
}

/* The mean place at which the only real-time request of a full queue is served, 1 is first. */
static double rank_of_rt(const struct vhdd_params *params)
{
	struct load *load = begin(params);
	int rounds = 300;
	int sum = 0;

	for (int round = 0; round < rounds; round++) {
		for (size_t i = 0; i < WINDOW; i++)
			ask(load, &load->requests[i], i == WINDOW - 1 ? rt : be);
		for (int rank = 1; rank <= WINDOW; rank++) {
			if (hprio_ioprio_class(next(load)->ioprio) == HPRIO_CLASS_RT)
				sum += rank;
		}
	}
	end(load);
	return (double)sum / rounds;
}

static void prio_serves_rt_first(void **state)
{
	struct vhdd_params params = mode(VHDD_MODE_PRIO);

	(void)state;
	params.prio_bonus_ns = NS_PER_S;
	assert_near(rank_of_rt(&params), 1, 0);
	/* The preset's bonus lets some cheap ones pass. */
	params = mode(VHDD_MODE_PRIO);
	assert_true(rank_of_rt(&params) < 5);
}

static void ncq_and_cdl_do_not_see_the_class(void **state)
{
	struct vhdd_params params = mode(VHDD_MODE_NCQ);

	(void)state;
	assert_true(rank_of_rt(&params) > 10);
	/* Without a hint it means nothing to a CDL drive, unless it is mapped to one. */
	params = mode(VHDD_MODE_CDL);
	assert_true(rank_of_rt(&params) > 10);
	params.cdl_rt_hint = 1;
	params.cdl_gain_ns = 10 * NS_PER_S;
	assert_true(rank_of_rt(&params) < 2);
}

/* When the one request that the others would starve is served. */
static int64_t starved_for_ns(const struct vhdd_params *params, uint16_t others, uint16_t starved)
{
	struct load *load = begin(params);
	struct vhdd_request *request;
	int64_t start_ns;

	ask(load, &load->requests[0], starved);
	for (size_t i = 1; i < WINDOW; i++)
		ask(load, &load->requests[i], others);
	while ((request = next(load)) != &load->requests[0]) {
		assert_true(load->now_ns < 60 * NS_PER_S);
		ask(load, request, others);
	}
	start_ns = request->start_ns;
	end(load);
	return start_ns;
}

static void age_limit_ends_starvation(void **state)
{
	struct vhdd_params params = mode(VHDD_MODE_PRIO);
	int64_t service_ns = 40 * NS_PER_MS;

	(void)state;
	params.prio_bonus_ns = NS_PER_S;
	assert_in_range(starved_for_ns(&params, rt, be), params.prio_max_age_ns,
			params.prio_max_age_ns + service_ns);
	params = mode(VHDD_MODE_CDL);
	params.cdl_gain_ns = 10 * NS_PER_S;
	params.cdl[0].guideline.ns = NS_PER_MS;
	assert_in_range(starved_for_ns(&params, be | 1 << 3, be), params.max_age_ns,
			params.max_age_ns + service_ns);
}

/* Without a weight of age a far request waits for as long as there are nearer ones. */
static void ncq_age_limit_serves_the_far_request(void **state)
{
	struct vhdd_params params = mode(VHDD_MODE_NCQ);
	struct load *load = begin(&params);
	struct vhdd_request far = {.offset = params.size_bytes - READ_BYTES, .length = READ_BYTES};
	struct vhdd_request *request;
	uint64_t near_bytes = 64u << 20;

	(void)state;
	params.age_weight = 0;
	vhdd_model_set_params(load->model, &params);
	load->params.size_bytes = near_bytes;
	assert_int_equal(vhdd_model_submit(load->model, &far, 0), 0);
	for (size_t i = 1; i < WINDOW; i++)
		ask(load, &load->requests[i], be);
	while ((request = next(load)) != &far) {
		assert_true(load->now_ns < 2 * params.max_age_ns);
		ask(load, request, be);
	}
	assert_in_range(far.start_ns, params.max_age_ns, params.max_age_ns + 40 * NS_PER_MS);
	end(load);
}

static void age_weight_shortens_the_tail(void **state)
{
	struct vhdd_params params = mode(VHDD_MODE_NCQ);
	int64_t longest[2] = {0, 0};

	(void)state;
	for (size_t run = 0; run < 2; run++) {
		struct load *load;
		params.age_weight = run == 0 ? 0.001 : 0.05;
		load = begin(&params);
		for (size_t i = 0; i < WINDOW; i++)
			ask(load, &load->requests[i], be);
		for (int i = 0; i < 20000; i++) {
			struct vhdd_request *request = next(load);
			int64_t latency_ns = request->finish_ns - request->arrival_ns;
			if (latency_ns > longest[run])
				longest[run] = latency_ns;
			ask(load, request, be);
		}
		end(load);
	}
	assert_true(longest[1] < longest[0] / 2);
}

/* All have waited for 40 ms; only one has a guideline that is near. */
static void cdl_serves_the_tight_guideline(void **state)
{
	struct vhdd_params params = mode(VHDD_MODE_CDL);
	int first = 0;

	(void)state;
	params.cdl_gain_ns = 50 * NS_PER_MS;
	for (unsigned tight = 0; tight < WINDOW; tight++) {
		struct load *load = begin(&params);
		for (unsigned i = 0; i < WINDOW; i++)
			ask(load, &load->requests[i], be | (i == tight ? 1 : 7) << 3);
		if (vhdd_model_next(load->model, 40 * NS_PER_MS) == &load->requests[tight])
			first++;
		end(load);
	}
	assert_int_equal(first, WINDOW);
}

/* How often a command is served first that has this guideline, when all have waited for 40 ms. */
static int times_first(const struct vhdd_params *params)
{
	int first = 0;

	for (unsigned guided = 0; guided < WINDOW; guided++) {
		struct load *load = begin(params);

		for (unsigned i = 0; i < WINDOW; i++)
			ask(load, &load->requests[i], i == guided ? be | 1 << 3 : be);
		first += vhdd_model_next(load->model, 40 * NS_PER_MS) == &load->requests[guided];
		end(load);
	}
	return first;
}

static void cdl_serves_first_what_has_missed_its_guideline(void **state)
{
	struct vhdd_params params = mode(VHDD_MODE_CDL);

	(void)state;
	params.cdl_gain_ns = 0;
	params.cdl[0].guideline.ns = NS_PER_MS;
	assert_int_equal(times_first(&params), WINDOW);
	/* Unless its policy takes the guideline away, or replaces it by one that is far off. */
	params.cdl[0].guideline.policy = VHDD_CDL_NO_LIMIT;
	assert_true(times_first(&params) < WINDOW / 4);
	params.cdl[0].guideline.policy = VHDD_CDL_NEXT;
	params.cdl[1].guideline.ns = NS_PER_S;
	assert_true(times_first(&params) < WINDOW / 4);
	params.cdl[1].guideline.ns = 2 * NS_PER_MS;
	assert_int_equal(times_first(&params), WINDOW);
}

/* Half of a full queue has each guideline. */
static void cdl_serves_a_nearer_guideline_earlier(void **state)
{
	struct vhdd_params params = mode(VHDD_MODE_CDL);
	int served[2] = {0, 0};
	int rounds = 100;

	(void)state;
	params.cdl[0].guideline.ns = 100 * NS_PER_MS;
	params.cdl[1].guideline.ns = 250 * NS_PER_MS;
	for (int round = 0; round < rounds; round++) {
		struct load *load = begin(&params);

		load->rng.state = (uint64_t)round;
		for (unsigned i = 0; i < WINDOW; i++)
			ask(load, &load->requests[i], be | (1 + i % 2) << 3);
		for (int i = 0; i < WINDOW / 4; i++)
			served[hprio_ioprio_hint(next(load)->ioprio) - 1]++;
		end(load);
	}
	/* In the first quarter none has missed its guideline or may wait for all others. */
	assert_true(served[0] > 2 * served[1]);
}

/* In a short queue a guideline that is far off makes a command wait until it must be served. */
static void cdl_guideline_is_a_target_and_no_priority(void **state)
{
	enum { DEPTH = 4 };
	struct vhdd_params params = mode(VHDD_MODE_CDL);
	struct vhdd_request *request;
	struct load *load;

	(void)state;
	params.cdl[0].guideline.ns = 300 * NS_PER_MS;
	load = begin(&params);
	ask(load, &load->requests[0], be | 1 << 3);
	for (size_t i = 1; i < DEPTH; i++)
		ask(load, &load->requests[i], be);
	while ((request = next(load)) != &load->requests[0])
		ask(load, request, be);
	/* Three others and two that may come, at 11.5 ms each, and itself. */
	assert_in_range(request->start_ns, 220 * NS_PER_MS, 300 * NS_PER_MS);
	assert_int_equal(request->cdl.used, 1);
	assert_int_equal(request->cdl.guideline, 0);
	end(load);
}

/* Six commands whose guideline is later let this one go first, so it need not reckon with them. */
static void cdl_later_guidelines_do_not_shorten_the_wait(void **state)
{
	enum { DEPTH = 8 };
	struct vhdd_params params = mode(VHDD_MODE_CDL);
	int64_t waited_ns = 0;
	int rounds = 50;

	(void)state;
	params.cdl[0].guideline.ns = 100 * NS_PER_MS;
	params.cdl[1].guideline.ns = NS_PER_S;
	for (int round = 0; round < rounds; round++) {
		struct load *load = begin(&params);
		struct vhdd_request *request;

		load->rng.state = (uint64_t)round;
		ask(load, &load->requests[0], be | 1 << 3);
		ask(load, &load->requests[1], be);
		for (size_t i = 2; i < DEPTH; i++)
			ask(load, &load->requests[i], be | 2 << 3);
		while ((request = next(load)) != &load->requests[0])
			ask(load, request, be);
		waited_ns += request->start_ns - request->arrival_ns;
		assert_int_equal(request->cdl.guideline, 0);
		end(load);
	}
	/* One other and two that may come; with all seven it would be served after 100 - 7 x 11.5 = 20 ms. */
	assert_in_range(waited_ns / rounds, 60 * NS_PER_MS, 100 * NS_PER_MS);
}

static void oldest_lead_grows_with_the_share_of_the_oldest_age(void **state)
{
	struct vhdd_params params = mode(VHDD_MODE_NCQ);
	struct load *load;

	(void)state;
	params.age_weight = 0;
	params.oldest_lead_ns = 100 * NS_PER_S;
	load = begin(&params);
	for (size_t i = 0; i < WINDOW; i++) {
		load->now_ns = (int64_t)i * NS_PER_MS;
		ask(load, &load->requests[i], be);
	}
	/* So large a lead makes it the order of arrival. */
	assert_ptr_equal(vhdd_model_next(load->model, load->now_ns), &load->requests[0]);
	for (size_t i = 1; i < WINDOW; i++)
		assert_ptr_equal(next(load), &load->requests[i]);
	end(load);
}

static void window_of_one_is_by_arrival(void **state)
{
	struct vhdd_params params = mode(VHDD_MODE_PRIO);
	struct load *load;

	(void)state;
	params.queue_window = 1;
	load = begin(&params);
	for (size_t i = 0; i < WINDOW; i++)
		ask(load, &load->requests[i], i % 2 == 0 ? be : rt);
	for (size_t i = 0; i < WINDOW; i++)
		assert_ptr_equal(next(load), &load->requests[i]);
	end(load);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(prio_serves_rt_first),
		cmocka_unit_test(ncq_and_cdl_do_not_see_the_class),
		cmocka_unit_test(age_limit_ends_starvation),
		cmocka_unit_test(ncq_age_limit_serves_the_far_request),
		cmocka_unit_test(age_weight_shortens_the_tail),
		cmocka_unit_test(cdl_serves_the_tight_guideline),
		cmocka_unit_test(cdl_serves_first_what_has_missed_its_guideline),
		cmocka_unit_test(cdl_serves_a_nearer_guideline_earlier),
		cmocka_unit_test(cdl_guideline_is_a_target_and_no_priority),
		cmocka_unit_test(cdl_later_guidelines_do_not_shorten_the_wait),
		cmocka_unit_test(oldest_lead_grows_with_the_share_of_the_oldest_age),
		cmocka_unit_test(window_of_one_is_by_arrival),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
