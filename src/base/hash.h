/* SPDX-License-Identifier: BSD-2-Clause
 *
 * hash.h - a 64-bit mixing step, used for object tables, signatures and trace
 * hashes.  Multiply-and-fold; not cryptographic. */
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

#endif
