/* SPDX-License-Identifier: BSD-2-Clause
 *
 * count.h - a fast population count for sets of threads.  It examines only the words of the set that can be in
 * use, and avoids the library call into which __builtin_popcountll is compiled for baseline x86-64 (the runtime
 * is compiled for processors that have the instruction). */
#ifndef HD_SEARCH_CORE_COUNT_H
#define HD_SEARCH_CORE_COUNT_H

#include "base/set.h"

static inline uint32_t hd_count_bits(uint64_t w)
{
#ifdef __POPCNT__
    return (uint32_t)__builtin_popcountll(w);
#else
    w -= (w >> 1) & UINT64_C(0x5555555555555555);
    w = (w & UINT64_C(0x3333333333333333)) + ((w >> 2) & UINT64_C(0x3333333333333333));
    w = (w + (w >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)((w * UINT64_C(0x0101010101010101)) >> 56);
#endif
}

/* Returns the number of members of s.  Precondition: all members are < nthreads. */
static inline uint32_t hd_count_members(const struct hd_set *s, uint32_t nthreads)
{
    uint32_t n = hd_count_bits(s->w[0]);

    for (uint32_t i = 1; i * 64 < nthreads; i++)
        n += hd_count_bits(hd_set_word(s, i));
    return n;
}

#endif
