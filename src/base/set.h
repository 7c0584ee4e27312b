/* SPDX-License-Identifier: BSD-2-Clause
 *
 * set.h - a set of thread ids, as a bit set.
 *
 * Most programs have at most 64 threads, and the search copies sets at every step.  So only the first word is always
 * valid.  Each other word is valid only if its bit in `high` is set; otherwise it counts as 0 and may be
 * uninitialised. hd_set_word reads a word by its number. */
#ifndef HD_BASE_SET_H
#define HD_BASE_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"

#define HD_MAX_THREADS 1280
#define HD_SET_WORDS (HD_MAX_THREADS / 64)

struct hd_set {
    uint64_t high; /* bit i, i > 0: w[i] is valid */
    uint64_t w[HD_SET_WORDS];
};

_Static_assert(HD_SET_WORDS <= 64, "a bit of `high` for each word");

/* A loop over the valid words other than the first.  It tells the compiler that there is usually none.  Otherwise
 * the loop body would fill the instruction cache and keep callers from being inlined. */
#define HD_SET_HIGH(i, mask) \
    for (uint64_t i##_left = (mask), i; HD_UNLIKELY(i##_left != 0) && (i = (uint64_t)__builtin_ctzll(i##_left), true); \
         i##_left &= i##_left - 1)
#define HD_SET_SELDOM static __attribute__((cold, noinline, unused))

static inline void hd_set_clear(struct hd_set *s)
{
    s->high = 0;
    s->w[0] = 0;
}

/* Word i: the members from 64 * i on. */
static inline uint64_t hd_set_word(const struct hd_set *s, unsigned i)
{
    return HD_LIKELY(i == 0) ? s->w[0] : (s->high >> i & 1) != 0 ? s->w[i] : 0;
}

HD_SET_SELDOM uint64_t *hd_set_open_high(struct hd_set *s, unsigned i)
{
    if ((s->high >> i & 1) == 0) {
        s->w[i] = 0;
        __atomic_signal_fence(__ATOMIC_RELEASE); /* a process that is killed here leaves a valid set */
        s->high |= UINT64_C(1) << i;
    }
    return &s->w[i];
}

/* Returns the address of word i and marks the word as used. */
static inline uint64_t *hd_set_open(struct hd_set *s, unsigned i)
{
    return HD_LIKELY(i == 0) ? s->w : hd_set_open_high(s, i);
}

HD_SET_SELDOM void hd_set_copy_high(struct hd_set *to, const struct hd_set *from)
{
    HD_SET_HIGH(i, from->high)
        to->w[i] = from->w[i];
}

static inline void hd_set_copy(struct hd_set *to, const struct hd_set *from)
{
    to->high = from->high;
    to->w[0] = from->w[0];
    if (HD_UNLIKELY(from->high != 0))
        hd_set_copy_high(to, from);
}

static inline void hd_set_add(struct hd_set *s, unsigned id)
{
    *hd_set_open(s, id >> 6) |= UINT64_C(1) << (id & 63);
}

static inline void hd_set_remove(struct hd_set *s, unsigned id)
{
    *hd_set_open(s, id >> 6) &= ~(UINT64_C(1) << (id & 63));
}

static inline void hd_set_put(struct hd_set *s, unsigned id, bool in)
{
    uint64_t bit = UINT64_C(1) << (id & 63), *w = hd_set_open(s, id >> 6);

    *w = (*w & ~bit) | (in ? bit : 0);
}

static inline void hd_set_add_all(struct hd_set *s, const struct hd_set *more)
{
    s->w[0] |= more->w[0];
    HD_SET_HIGH(i, more->high)
        *hd_set_open(s, (unsigned)i) |= more->w[i];
}

static inline bool hd_set_has(const struct hd_set *s, unsigned id)
{
    return (hd_set_word(s, id >> 6) >> (id & 63)) & 1;
}

static inline bool hd_set_is_empty(const struct hd_set *s)
{
    uint64_t any = s->w[0];

    HD_SET_HIGH(i, s->high)
        any |= s->w[i];
    return any == 0;
}

static inline unsigned hd_set_count(const struct hd_set *s)
{
    unsigned n = (unsigned)__builtin_popcountll(s->w[0]);

    HD_SET_HIGH(i, s->high)
        n += (unsigned)__builtin_popcountll(s->w[i]);
    return n;
}

HD_SET_SELDOM unsigned hd_set_next_high(const struct hd_set *s, unsigned from)
{
    unsigned first = from >> 6;

    if (from >= HD_MAX_THREADS)
        return HD_MAX_THREADS;
    uint64_t w = hd_set_word(s, first) & (~UINT64_C(0) << (from & 63));

    if (w != 0)
        return first * 64 + (unsigned)__builtin_ctzll(w);
    HD_SET_HIGH(i, s->high & (~UINT64_C(1) << first))
        if (s->w[i] != 0)
            return (unsigned)i * 64 + (unsigned)__builtin_ctzll(s->w[i]);
    return HD_MAX_THREADS;
}

/* Returns the smallest member >= from; HD_MAX_THREADS if there is none. */
static inline unsigned hd_set_next(const struct hd_set *s, unsigned from)
{
    if (HD_LIKELY(from < 64)) {
        uint64_t w = s->w[0] & (~UINT64_C(0) << from);

        if (w != 0)
            return (unsigned)__builtin_ctzll(w);
    }
    return HD_LIKELY(s->high == 0) ? HD_MAX_THREADS : hd_set_next_high(s, from);
}

/* Returns the members of a that are not in b. */
static inline struct hd_set hd_set_minus(const struct hd_set *a, const struct hd_set *b)
{
    struct hd_set r;

    r.high = a->high;
    r.w[0] = a->w[0] & ~b->w[0];
    HD_SET_HIGH(i, a->high)
        r.w[i] = a->w[i] & ~hd_set_word(b, (unsigned)i);
    return r;
}

#define HD_SET_EACH(id, set) \
    for (unsigned id = hd_set_next((set), 0); id < HD_MAX_THREADS; id = hd_set_next((set), id + 1))

#endif
