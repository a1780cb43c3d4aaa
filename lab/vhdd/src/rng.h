/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Repeatable pseudo-random numbers (SplitMix64: Steele, Lea, Flood, OOPSLA 2014). The same seed
 * gives the same sequence everywhere, which rand() does not promise. Not for secrets.
 */
#ifndef VHDD_RNG_H
#define VHDD_RNG_H

#include <math.h>
#include <stdint.h>

struct vhdd_rng {
	uint64_t state; /* any seed */
};

static inline uint64_t vhdd_rng_next(struct vhdd_rng *rng)
{
	uint64_t z = rng->state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

/* Uniform, 0 to less than 1. */
static inline double vhdd_rng_uniform(struct vhdd_rng *rng)
{
	return (double)(vhdd_rng_next(rng) >> 11) * 0x1p-53;
}

/* Uniform, 0 to less than count; count is far below 2^53. */
static inline uint64_t vhdd_rng_below(struct vhdd_rng *rng, uint64_t count)
{
	return (uint64_t)(vhdd_rng_uniform(rng) * (double)count);
}

/* Exponential with the given mean: the gaps of a Poisson process. */
static inline double vhdd_rng_exponential(struct vhdd_rng *rng, double mean)
{
	return -mean * log1p(-vhdd_rng_uniform(rng));
}

#endif
