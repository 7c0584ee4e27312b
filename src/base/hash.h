/* SPDX-License-Identifier: BSD-2-Clause
 *
 * hash.h - a 64-bit mixing step, used for object tables, signatures and trace
 * hashes; and one of 128 bits, for where equal hashes are taken for equal things.
 * Not cryptographic. */
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

/* Two lanes that are fed with the same or with different words. */
struct hd_hash128 {
    uint64_t lo, hi;
};

/* A bijection in which every bit of the result depends on every bit of v. */
static inline uint64_t hd_hash_spread(uint64_t v)
{
    v = (v ^ v >> 32) * UINT64_C(0xd6e8feb86659fd93);
    v = (v ^ v >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return v ^ v >> 32;
}

/* Order matters.  For a given word each lane is a bijection, and for a given lane
 * different words give different results. */
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

/* Of a multiset: order does not matter. */
static inline struct hd_hash128 hd_hash128_sum(struct hd_hash128 a, struct hd_hash128 b)
{
    return (struct hd_hash128){ a.lo + b.lo, a.hi + b.hi };
}

#endif
