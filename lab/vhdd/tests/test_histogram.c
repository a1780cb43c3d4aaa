// SPDX-License-Identifier: Apache-2.0
#include "unit.h"

#include "histogram.h"
#include "rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES 200000

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a;
	int64_t y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

static void empty_is_zero(void **state)
{
	struct vhdd_histogram histogram = {0};

	(void)state;
	assert_int_equal(vhdd_histogram_quantile(&histogram, 0.5), 0);
	assert_int_equal(vhdd_histogram_max(&histogram), 0);
	assert_near(vhdd_histogram_mean(&histogram), 0, 0);
}

static void one_value_is_exact(void **state)
{
	struct vhdd_histogram histogram = {0};

	(void)state;
	vhdd_histogram_record(&histogram, 12345678);
	for (double q = 0; q <= 1; q += 0.25)
		assert_int_equal(vhdd_histogram_quantile(&histogram, q), 12345678);
	assert_near(vhdd_histogram_mean(&histogram), 12345678, 1e-6);
}

/* Over the whole range, at and beside each power of two. */
static void each_value_is_within_one_percent(void **state)
{
	(void)state;
	for (double value = 1e3; value <= 1e12; value *= 1.0037) {
		struct vhdd_histogram histogram = {0};
		vhdd_histogram_record(&histogram, (int64_t)value);
		vhdd_histogram_record(&histogram, (int64_t)4e12);
		vhdd_histogram_record(&histogram, 0);
		assert_near((double)vhdd_histogram_quantile(&histogram, 0.5), value, 0.005 * value);
	}
	for (unsigned bit = 10; bit < 40; bit++) {
		struct vhdd_histogram histogram = {0};
		double value = ldexp(1, (int)bit);
		vhdd_histogram_record(&histogram, 0);
		vhdd_histogram_record(&histogram, (int64_t)value - 1);
		vhdd_histogram_record(&histogram, (int64_t)value);
		vhdd_histogram_record(&histogram, (int64_t)4e12);
		assert_near((double)vhdd_histogram_quantile(&histogram, 0.5), value, 0.005 * value);
		assert_near((double)vhdd_histogram_quantile(&histogram, 0.75), value, 0.005 * value);
	}
}

static void quantiles_match_sorted_samples(void **state)
{
	static const double qs[] = {0.01, 0.5, 0.95, 0.99, 0.999, 0.9999};
	struct vhdd_histogram histogram = {0};
	struct vhdd_rng rng = {.state = 7};
	int64_t *samples = malloc(SAMPLES * sizeof(*samples));
	double sum = 0;

	(void)state;
	assert_non_null(samples);
	for (size_t i = 0; i < SAMPLES; i++) {
		samples[i] = (int64_t)exp(7 + 20 * vhdd_rng_uniform(&rng));
		sum += (double)samples[i];
		vhdd_histogram_record(&histogram, samples[i]);
	}
	qsort(samples, SAMPLES, sizeof(*samples), compare);
	for (size_t i = 0; i < sizeof(qs) / sizeof(qs[0]); i++) {
		double exact = (double)samples[(size_t)ceil(qs[i] * SAMPLES) - 1];
		assert_near((double)vhdd_histogram_quantile(&histogram, qs[i]), exact,
			    0.005 * exact);
	}
	assert_int_equal(vhdd_histogram_quantile(&histogram, 1), samples[SAMPLES - 1]);
	assert_int_equal(vhdd_histogram_max(&histogram), samples[SAMPLES - 1]);
	assert_near(vhdd_histogram_mean(&histogram), sum / SAMPLES, 1e-6 * sum / SAMPLES);
	free(samples);
}

static void out_of_range_is_kept(void **state)
{
	struct vhdd_histogram histogram = {0};

	(void)state;
	vhdd_histogram_record(&histogram, -5);
	vhdd_histogram_record(&histogram, INT64_MAX);
	assert_int_equal(histogram.count, 2);
	assert_int_equal(vhdd_histogram_quantile(&histogram, 1), INT64_MAX);
	assert_in_range(vhdd_histogram_quantile(&histogram, 0.5), 0, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_is_zero),
		cmocka_unit_test(one_value_is_exact),
		cmocka_unit_test(each_value_is_within_one_percent),
		cmocka_unit_test(quantiles_match_sorted_samples),
		cmocka_unit_test(out_of_range_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
