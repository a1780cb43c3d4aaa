// SPDX-License-Identifier: Apache-2.0
#include "unit.h"

#include "geometry.h"
#include "rng.h"

#include <math.h>

static struct vhdd_geometry make(const struct vhdd_params *params)
{
	struct vhdd_geometry geometry;

	vhdd_geometry_init(&geometry, params);
	return geometry;
}

static void seek_curve_has_its_end_points(void **state)
{
	struct vhdd_params params = sdc21();
	struct vhdd_geometry geometry = make(&params);
	uint64_t tracks = (uint64_t)geometry.tracks;
	double last = 0;

	(void)state;
	assert_near(vhdd_geometry_seek_ns(&geometry, 5, 5, false), 0, 0);
	/* One track of some ten thousand costs the minimum and a little of the square root. */
	assert_in_range((int64_t)vhdd_geometry_seek_ns(&geometry, 5, 6, false), params.seek_min_ns,
			params.seek_min_ns + NS_PER_MS / 10);
	assert_near(vhdd_geometry_seek_ns(&geometry, 0, tracks, false), (double)params.seek_max_ns,
		    1);
	assert_near(vhdd_geometry_seek_ns(&geometry, tracks, 0, true) -
			    vhdd_geometry_seek_ns(&geometry, 0, tracks, false),
		    (double)params.write_settle_ns, 1e-3);
	for (uint64_t track = 0; track <= tracks; track += 97) {
		double seek = vhdd_geometry_seek_ns(&geometry, 0, track, false);
		assert_true(track == 0 || seek > last);
		last = seek;
	}
}

static void seek_curve_has_its_mean(void **state)
{
	struct vhdd_params params = sdc21();
	struct vhdd_geometry geometry = make(&params);
	struct vhdd_rng rng = {.state = 1};
	double sum = 0;
	int pairs = 400000;

	(void)state;
	for (int i = 0; i < pairs; i++) {
		uint64_t from = vhdd_rng_below(&rng, (uint64_t)geometry.tracks);
		uint64_t to = vhdd_rng_below(&rng, (uint64_t)geometry.tracks);
		sum += vhdd_geometry_seek_ns(&geometry, from, to, false);
	}
	assert_near(sum / pairs, (double)params.seek_avg_ns, 0.01 * (double)params.seek_avg_ns);
}

static void stroke_shortens_seeks(void **state)
{
	struct vhdd_params params = sdc21();
	struct vhdd_geometry full = make(&params);
	struct vhdd_geometry part;

	(void)state;
	params.stroke = 0.25;
	part = make(&params);
	assert_near(vhdd_geometry_seek_ns(&part, 0, 4000, false),
		    vhdd_geometry_seek_ns(&full, 0, 1000, false), 1);
}

static void wait_is_within_one_revolution(void **state)
{
	struct vhdd_params params = sdc21();
	struct vhdd_geometry geometry = make(&params);
	struct vhdd_rng rng = {.state = 2};
	double revolution = (double)geometry.revolution_ns;
	double sum = 0;
	int tries = 200000;

	(void)state;
	assert_near(revolution, 60e9 / 7200, 1);
	for (int i = 0; i < tries; i++) {
		double angle = vhdd_rng_uniform(&rng) * revolution;
		/* Also for a clock with all of its digits in use. */
		int64_t at = (int64_t)(vhdd_rng_next(&rng) >> (1 + i % 40));
		double later = vhdd_rng_uniform(&rng) * 2e7;
		double wait = vhdd_geometry_wait_ns(&geometry, angle, at, later);
		double head = fmod((double)(at % geometry.revolution_ns) + later + wait, revolution);
		double off = fabs(head - angle);
		assert_true(wait >= 0 && wait < revolution);
		assert_true(fmin(off, revolution - off) < 1);
		sum += wait;
	}
	assert_near(sum / tries, revolution / 2, 0.01 * revolution);
}

static void zones_set_the_rate(void **state)
{
	struct vhdd_params params = sdc21();
	struct vhdd_geometry geometry = make(&params);
	struct vhdd_place outer = vhdd_geometry_locate(&geometry, 0);
	struct vhdd_place inner = vhdd_geometry_locate(&geometry, params.size_bytes - 512);
	double per_track = (double)(geometry.revolution_ns + params.track_switch_ns);
	uint64_t last = UINT64_MAX;

	(void)state;
	assert_near((double)outer.track_bytes, (double)params.track_outer_bytes, 4096);
	assert_near((double)inner.track_bytes, (double)params.track_inner_bytes, 4096);
	assert_near(vhdd_geometry_bytes_per_ns(&geometry, &outer),
		    (double)outer.track_bytes / per_track, 1e-9);
	for (uint32_t i = 0; i < geometry.zones; i++) {
		assert_true(geometry.zone[i].track_bytes < last);
		last = geometry.zone[i].track_bytes;
	}
	assert_true((double)inner.track < geometry.tracks);
}

static void transfer_goes_on_over_a_track_end(void **state)
{
	struct vhdd_params params = sdc21();
	struct vhdd_geometry geometry = make(&params);
	uint64_t track = geometry.zone[0].track_bytes;
	double whole = vhdd_geometry_transfer_ns(&geometry, 0, 2 * track);
	struct vhdd_place second = vhdd_geometry_locate(&geometry, track);
	double first = (double)geometry.revolution_ns + (double)params.track_switch_ns;

	(void)state;
	assert_near(whole, 2 * (double)geometry.revolution_ns + (double)params.track_switch_ns, 1);
	assert_int_equal(second.track, 1);
	/* The skew: the head is above the second track's first byte just then. */
	double wait = vhdd_geometry_wait_ns(&geometry, second.angle_ns, 0, first);
	assert_true(wait < 1 || wait > (double)geometry.revolution_ns - 1);
	/* In two parts it takes as long as in one. */
	for (uint64_t cut = track - 4096; cut <= track + 4096; cut += 4096)
		assert_near(vhdd_geometry_transfer_ns(&geometry, 0, cut) +
				    vhdd_geometry_go_on_ns(&geometry, cut) +
				    vhdd_geometry_transfer_ns(&geometry, cut, 2 * track - cut),
			    whole, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seek_curve_has_its_end_points),
		cmocka_unit_test(seek_curve_has_its_mean),
		cmocka_unit_test(stroke_shortens_seeks),
		cmocka_unit_test(wait_is_within_one_revolution),
		cmocka_unit_test(zones_set_the_rate),
		cmocka_unit_test(transfer_goes_on_over_a_track_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
