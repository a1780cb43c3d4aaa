// SPDX-License-Identifier: Apache-2.0
#include "histogram.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#define FIRST_OCTAVE 10 /* 2^10 ns, about 1 us */
#define STEP_BITS 7     /* VHDD_HISTOGRAM_STEPS = 2^7 */
#define NS_PER_MS 1e6

const struct vhdd_quantile vhdd_quantiles[VHDD_QUANTILES] = {
	{"p50", 0.5}, {"p95", 0.95}, {"p99", 0.99}, {"p99.9", 0.999}, {"p99.99", 0.9999},
};

/* Below 2^10 the buckets are as wide as in the octave above it, so both parts are one sequence. */
static size_t bucket_of(uint64_t value)
{
	unsigned octave;
	size_t index;

	if (value < (1ULL << FIRST_OCTAVE))
		return (size_t)(value >> (FIRST_OCTAVE - STEP_BITS));
	octave = 63 - (unsigned)__builtin_clzll(value);
	index = (size_t)(octave - FIRST_OCTAVE) * VHDD_HISTOGRAM_STEPS +
		(size_t)(value >> (octave - STEP_BITS));
	return index < VHDD_HISTOGRAM_BUCKETS ? index : VHDD_HISTOGRAM_BUCKETS - 1;
}

static uint64_t middle_of(size_t index)
{
	size_t octave = index / VHDD_HISTOGRAM_STEPS; /* 0: the linear part */
	uint64_t step = index % VHDD_HISTOGRAM_STEPS;
	unsigned shift = FIRST_OCTAVE - STEP_BITS;

	if (octave > 0) {
		step += VHDD_HISTOGRAM_STEPS;
		shift += (unsigned)octave - 1;
	}
	return (step << shift) + (1ULL << shift) / 2;
}

void vhdd_histogram_record(struct vhdd_histogram *histogram, int64_t value_ns)
{
	if (value_ns < 0)
		value_ns = 0;
	if (histogram->count == 0 || value_ns < histogram->min_ns)
		histogram->min_ns = value_ns;
	if (value_ns > histogram->max_ns)
		histogram->max_ns = value_ns;
	histogram->count++;
	histogram->sum_ns += (double)value_ns;
	histogram->bucket[bucket_of((uint64_t)value_ns)]++;
}

int64_t vhdd_histogram_quantile(const struct vhdd_histogram *histogram, double q)
{
	uint64_t rank = (uint64_t)ceil(q * (double)histogram->count);
	uint64_t seen = 0;
	size_t index = 0;
	int64_t value;

	if (histogram->count == 0)
		return 0;
	if (rank == 0)
		rank = 1;
	if (rank >= histogram->count)
		return histogram->max_ns;
	for (; index < VHDD_HISTOGRAM_BUCKETS; index++) {
		seen += histogram->bucket[index];
		if (seen >= rank)
			break;
	}
	value = (int64_t)middle_of(index);
	if (value < histogram->min_ns)
		return histogram->min_ns;
	return value < histogram->max_ns ? value : histogram->max_ns;
}

double vhdd_histogram_mean(const struct vhdd_histogram *histogram)
{
	return histogram->count == 0 ? 0 : histogram->sum_ns / (double)histogram->count;
}

int64_t vhdd_histogram_max(const struct vhdd_histogram *histogram)
{
	return histogram->max_ns;
}

static void put_ms(json_t *json, const char *name, const char *suffix, double ns)
{
	char key[32];

	snprintf(key, sizeof(key), "%s%s", name, suffix);
	json_object_set_new(json, key, json_real(ns / NS_PER_MS));
}

json_t *vhdd_histogram_to_json(const struct vhdd_histogram *histogram, const char *suffix)
{
	json_t *json = json_object();

	put_ms(json, "mean", suffix, vhdd_histogram_mean(histogram));
	for (size_t i = 0; i < VHDD_QUANTILES; i++)
		put_ms(json, vhdd_quantiles[i].name, suffix,
		       (double)vhdd_histogram_quantile(histogram, vhdd_quantiles[i].share));
	put_ms(json, "max", suffix, (double)vhdd_histogram_max(histogram));
	return json;
}
