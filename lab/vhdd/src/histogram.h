/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A latency histogram of fixed size: log-linear buckets from 1 us to 1000 s, at most 0.4 % off
 * (values below 1 us: at most 4 ns off). Own code, as Debian 12 has no package of HdrHistogram_c.
 * Not thread-safe.
 */
#ifndef VHDD_HISTOGRAM_H
#define VHDD_HISTOGRAM_H

#include <jansson.h>
#include <stdint.h>

/* Buckets per power of two, and powers of two from 2^10 ns to 2^40 ns. */
#define VHDD_HISTOGRAM_STEPS 128
#define VHDD_HISTOGRAM_OCTAVES 30
/* One more octave's worth of linear buckets for what is below 2^10 ns. */
#define VHDD_HISTOGRAM_BUCKETS (VHDD_HISTOGRAM_STEPS * (VHDD_HISTOGRAM_OCTAVES + 1))

/* All zero: empty. */
struct vhdd_histogram {
	uint64_t count;
	double sum_ns;
	int64_t min_ns;
	int64_t max_ns;
	uint64_t bucket[VHDD_HISTOGRAM_BUCKETS];
};

/* Negative values count as 0; above the range only the maximum and the mean stay exact. */
void vhdd_histogram_record(struct vhdd_histogram *histogram, int64_t value_ns);

/*
 * The smallest recorded value that at least the share q, 0 to 1, of all values do not exceed; q = 1
 * is the exact maximum, an empty histogram gives 0.
 */
int64_t vhdd_histogram_quantile(const struct vhdd_histogram *histogram, double q);

/* 0 when empty. */
double vhdd_histogram_mean(const struct vhdd_histogram *histogram);
int64_t vhdd_histogram_max(const struct vhdd_histogram *histogram);

/* The quantiles that are reported: "p50" to "p99.99". */
struct vhdd_quantile {
	const char *name;
	double share;
};
#define VHDD_QUANTILES 5
extern const struct vhdd_quantile vhdd_quantiles[VHDD_QUANTILES];

/* New JSON in milliseconds: mean, p50, ..., p99.99, max, each name with the suffix. */
json_t *vhdd_histogram_to_json(const struct vhdd_histogram *histogram, const char *suffix);

#endif
