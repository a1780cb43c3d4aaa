// SPDX-License-Identifier: Apache-2.0
/* How far the drive reads on while commands wait. */
#include "unit.h"

#include "geometry.h"
#include "model.h"

#define KIB128 (128u << 10)

static struct vhdd_model *new_model(const struct vhdd_params *params)
{
	struct vhdd_model *model = vhdd_model_new(params);

	assert_non_null(model);
	return model;
}

/* Submits one request to an idle drive and serves it; returns when it is answered. */
static int64_t serve(struct vhdd_model *model, uint64_t offset, uint32_t length, int64_t now_ns)
{
	struct vhdd_request request = {.offset = offset, .length = length};

	assert_int_equal(vhdd_model_submit(model, &request, now_ns), 0);
	assert_ptr_equal(vhdd_model_next(model, vhdd_model_next_choice_ns(model)), &request);
	return request.finish_ns;
}

/* When a read elsewhere begins that waits while the drive reads 128 KiB at 0; its end is told, too. */
static int64_t begin_beside(struct vhdd_model *model, int64_t *read_ns, int64_t *finish_ns)
{
	struct vhdd_request first = {.offset = 0, .length = KIB128};
	struct vhdd_request other = {.offset = 1ULL << 34, .length = KIB128};

	assert_int_equal(vhdd_model_submit(model, &first, 0), 0);
	assert_ptr_equal(vhdd_model_next(model, vhdd_model_next_choice_ns(model)), &first);
	assert_int_equal(vhdd_model_submit(model, &other, first.finish_ns - NS_PER_MS), 0);
	assert_ptr_equal(vhdd_model_next(model, vhdd_model_next_choice_ns(model)), &other);
	*read_ns = first.finish_ns;
	*finish_ns = other.finish_ns;
	return other.start_ns;
}

static void it_reads_on_while_commands_wait(void **state)
{
	static const uint64_t bytes[] = {0, 256u << 10, 1u << 20};
	struct vhdd_params params = sdc21();
	struct vhdd_geometry geometry;
	struct vhdd_place place;
	struct vhdd_model *model;
	int64_t finish_ns;
	int64_t read_ns;

	(void)state;
	vhdd_geometry_init(&geometry, &params);
	place = vhdd_geometry_locate(&geometry, KIB128 - 1);
	for (size_t i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++) {
		params.min_prefetch_bytes = bytes[i];
		model = new_model(&params);
		int64_t begin_ns = begin_beside(model, &read_ns, &finish_ns);
		assert_near((double)(begin_ns - read_ns),
			    (double)bytes[i] / vhdd_geometry_bytes_per_ns(&geometry, &place), 2);
		/* What it has read on is answered without the arm, and the rest is not. */
		if (bytes[i] > 0) {
			int64_t asked_ns = finish_ns + NS_PER_S;
			uint64_t last = KIB128 + bytes[i] - 4096;
			assert_true(serve(model, last, 4096, asked_ns) - asked_ns < NS_PER_MS);
		}
		assert_true(serve(model, KIB128 + bytes[i], KIB128, finish_ns + 2 * NS_PER_S) -
				    finish_ns - 2 * NS_PER_S > NS_PER_MS);
		vhdd_model_free(model);
	}
}

static void it_reads_on_no_further_than_it_reads_ahead(void **state)
{
	struct vhdd_params params = sdc21();
	struct vhdd_model *model;
	int64_t finish_ns;
	int64_t begin_ns;
	int64_t read_ns;

	(void)state;
	params.min_prefetch_bytes = 1u << 20;
	params.readahead_bytes = 0;
	model = new_model(&params);
	begin_ns = begin_beside(model, &read_ns, &finish_ns);
	assert_int_equal(begin_ns, read_ns);
	vhdd_model_free(model);
}

/* A command that comes when it has read on that far waits for nothing. */
static void it_has_read_on_before_a_late_command(void **state)
{
	struct vhdd_params params = sdc21();
	struct vhdd_params reads_on = sdc21();
	int64_t finish_ns[2];

	(void)state;
	reads_on.min_prefetch_bytes = 1u << 20;
	for (int i = 0; i < 2; i++) {
		struct vhdd_model *model = new_model(i ? &reads_on : &params);
		int64_t asked_ns = serve(model, 0, KIB128, 0) + NS_PER_S;
		finish_ns[i] = serve(model, 1ULL << 34, KIB128, asked_ns);
		vhdd_model_free(model);
	}
	assert_int_equal(finish_ns[0], finish_ns[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_reads_on_while_commands_wait),
		cmocka_unit_test(it_reads_on_no_further_than_it_reads_ahead),
		cmocka_unit_test(it_has_read_on_before_a_late_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
