/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rng.h - the only source of randomness: splitmix64 (Steele, Lea, Flood 2014).  The state
 * of execution i is derived from (seed, i), so that any execution of a random campaign can
 * be repeated alone. */
#ifndef HD_BASE_RNG_H
#define HD_BASE_RNG_H

#include <stdint.h>

struct hd_rng {
    uint64_t state;
};

static inline uint64_t hd_rng_next(struct hd_rng *r)
{
    uint64_t z = (r->state += UINT64_C(0x9e3779b97f4a7c15));

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static inline struct hd_rng hd_rng_for(uint64_t seed, uint64_t index)
{
    struct hd_rng r = { seed };

    r.state = hd_rng_next(&r) ^ (index * UINT64_C(0xda942042e4dd58b5));
    hd_rng_next(&r);
    return r;
}

/* Maps a result of hd_rng_next to [0, n), n > 0: uniform, with a bias below 2^-32 for n < 2^32. */
static inline uint32_t hd_rng_scale(uint64_t number, uint32_t n)
{
    return (uint32_t)(((number >> 32) * n) >> 32);
}

static inline uint32_t hd_rng_below(struct hd_rng *r, uint32_t n)
{
    return hd_rng_scale(hd_rng_next(r), n);
}

#endif
