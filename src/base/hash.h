/* SPDX-License-Identifier: BSD-2-Clause
 *
 * hash.h - a 64-bit mixing step for object tables, signatures and trace hashes, and a
 * 128-bit one for uses that treat equal hashes as equal values.  Not cryptographic. */
#ifndef HD_BASE_HASH_H
#define HD_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t hd_hash_mix(uint64_t h, uint64_t v)
{
    __extension__ unsigned __int128 p =
        (unsigned __int128)(h ^ v ^ UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xd6e8feb86659fd93);

    return (uint64_t)p ^ (uint64_t)(p >> 64);
}

static inline uint64_t hd_hash_bytes(uint64_t h, const void *data, size_t n)
{
    const unsigned char *p = data;

    h = hd_hash_mix(h, n);
    for (; n >= 8; n -= 8, p += 8) {
        uint64_t v;

        __builtin_memcpy(&v, p, 8);
        h = hd_hash_mix(h, v);
    }
    if (n > 0) {
        uint64_t v = 0;

        __builtin_memcpy(&v, p, n);
        h = hd_hash_mix(h, v);
    }
    return h;
}

/* Hashes n words in four independent lanes, so that the processor can work on all of them at once.  The lanes
 * start with different values; otherwise equal lanes would cancel each other out. */
static inline uint64_t hd_hash_words(uint64_t h, const void *words, size_t n)
{
    const unsigned char *p = words;
    uint64_t lane[4], v[4];

    lane[0] = hd_hash_mix(h, n);
    for (unsigned i = 1; i < 4; i++)
        lane[i] = lane[0] + i;
    for (; n >= 4; n -= 4, p += 32) {
        __builtin_memcpy(v, p, 32);
        for (unsigned i = 0; i < 4; i++)
            lane[i] = hd_hash_mix(lane[i], v[i]);
    }
    for (; n > 0; n--, p += 8) {
        __builtin_memcpy(v, p, 8);
        lane[0] = hd_hash_mix(lane[0], v[0]);
    }
    return hd_hash_mix(hd_hash_mix(hd_hash_mix(lane[0], lane[1]) + 1, lane[2]) + 2, lane[3]);
}

/* A hash of two independent halves. */
struct hd_hash128 {
    uint64_t lo, hi;
};

/* Mixes v so that every bit of the result depends on every bit of v.  A bijection. */
static inline uint64_t hd_hash_spread(uint64_t v)
{
    v = (v ^ v >> 32) * UINT64_C(0xd6e8feb86659fd93);
    v = (v ^ v >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return v ^ v >> 32;
}

/* Adds v to the hash; the order matters.  For a given v each half is a bijection, and for a given half
 * different v give different results. */
static inline struct hd_hash128 hd_hash128_join(struct hd_hash128 h, struct hd_hash128 v)
{
    return (struct hd_hash128){
        hd_hash_spread(h.lo * UINT64_C(0x9e3779b97f4a7c15) + v.lo),
        hd_hash_spread(h.hi * UINT64_C(0xc2b2ae3d27d4eb4f) - v.hi),
    };
}

static inline struct hd_hash128 hd_hash128_word(struct hd_hash128 h, uint64_t v)
{
    return hd_hash128_join(h, (struct hd_hash128){ v, v });
}

/* Adds two hashes as those of a multiset: the order does not matter. */
static inline struct hd_hash128 hd_hash128_sum(struct hd_hash128 a, struct hd_hash128 b)
{
    return (struct hd_hash128){ a.lo + b.lo, a.hi + b.hi };
}

#endif
