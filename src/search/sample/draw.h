/* SPDX-License-Identifier: BSD-2-Clause
 *
 * draw.h - the common part of the sampling strategies: random draws, and which executions
 * may be used as profiles. */
#ifndef HD_SEARCH_SAMPLE_DRAW_H
#define HD_SEARCH_SAMPLE_DRAW_H

#include "base/check.h"
#include "search/core/count.h"
#include "search/core/strategy.h"

/* The state of every sampling strategy begins with this. */
struct hd_draws {
    uint64_t seed;
    struct hd_rng rng;
};

/* hd_draw_open is the `open` of a strategy without parameters and further state. hd_draw_begin is the `begin`
 * of one that has nothing else to set up: seed and index determine all draws. */
bool hd_draw_open(void **self, const struct hd_strategy_cfg *cfg);
uint32_t hd_draw_begin(void *self, const struct hd_cursor *now, uint64_t index);

/* The `choose` of a strategy: every alternative is equally likely. */
uint32_t hd_draw_choose(void *self, const struct hd_point *at, uint32_t n);

/* The `end` of a strategy that keeps nothing. */
void hd_draw_end(void *self, const struct hd_execution *done, const struct hd_cursor *now,
                 struct hd_cursor *next, struct hd_outcome *out);

/* Returns a number in [0, n), all equally likely. n > 0 may exceed 32 bits. */
static inline uint64_t hd_draw_below(struct hd_rng *r, uint64_t n)
{
    __extension__ unsigned __int128 wide = (unsigned __int128)hd_rng_next(r) * n;

    return (uint64_t)(wide >> 64);
}

/* Returns the set w, without its lowest member if `yes`.  Written without a branch, because no processor can
 * predict a random number; the assembly statement keeps the compiler from making one. */
static inline uint64_t hd_draw_drop(uint64_t w, bool yes)
{
    uint64_t all = (uint64_t)yes - 1; /* mask of the members that stay in any case */

    __asm__("" : "+r"(all));
    return w & ((w - 1) | all);
}

/* Returns member number k of the set, from 0. */
static inline hd_tid hd_draw_nth(const struct hd_set *set, uint32_t k)
{
    unsigned i = 0;
    uint64_t w = set->w[0];

    for (;;) {
        uint32_t here = hd_count_bits(w);

        if (k < here)
            break;
        k -= here;
        w = hd_set_word(set, ++i);
    }
    if (HD_UNLIKELY(k >= 4)) {
        for (; k >= 4; k--)
            w &= w - 1;
    }
    w = hd_draw_drop(w, k >= 1);
    w = hd_draw_drop(w, k >= 2);
    w = hd_draw_drop(w, k >= 3);
    return (hd_tid)(i * 64 + (unsigned)__builtin_ctzll(w));
}

/* Draws a member of the set, all equally likely.  Precondition: the set is not empty and all members are <
 * nthreads.  Uses no random number if there is only one member. */
static inline hd_tid hd_draw_member(struct hd_rng *r, const struct hd_set *set, uint32_t nthreads)
{
    uint32_t n = hd_count_members(set, nthreads);

    return hd_draw_nth(set, n == 1 ? 0 : hd_rng_below(r, n));
}

/* True if the execution ended by itself.  If it did not, it says nothing about the length of others. */
static inline bool hd_ended_itself(const struct hd_execution *done)
{
    return done->ending == HD_END_CLEAN || done->ending == HD_END_DEADLOCK ||
           done->ending == HD_END_LIVELOCK || done->ending == HD_END_FAILED;
}

#endif
