/* SPDX-License-Identifier: BSD-2-Clause
 *
 * set.h - a set of thread ids, as a fixed bit set. */
#ifndef HD_BASE_SET_H
#define HD_BASE_SET_H

#include <stdbool.h>
#include <stdint.h>

#define HD_MAX_THREADS 256
#define HD_SET_WORDS (HD_MAX_THREADS / 64)

struct hd_set {
    uint64_t w[HD_SET_WORDS];
};

static inline void hd_set_clear(struct hd_set *s)
{
    for (int i = 0; i < HD_SET_WORDS; i++)
        s->w[i] = 0;
}

static inline void hd_set_add(struct hd_set *s, unsigned id)
{
    s->w[id >> 6] |= UINT64_C(1) << (id & 63);
}

static inline void hd_set_remove(struct hd_set *s, unsigned id)
{
    s->w[id >> 6] &= ~(UINT64_C(1) << (id & 63));
}

static inline void hd_set_put(struct hd_set *s, unsigned id, bool in)
{
    uint64_t bit = UINT64_C(1) << (id & 63);

    s->w[id >> 6] = (s->w[id >> 6] & ~bit) | (in ? bit : 0);
}

static inline bool hd_set_has(const struct hd_set *s, unsigned id)
{
    return (s->w[id >> 6] >> (id & 63)) & 1;
}

static inline bool hd_set_is_empty(const struct hd_set *s)
{
    uint64_t any = 0;

    for (int i = 0; i < HD_SET_WORDS; i++)
        any |= s->w[i];
    return any == 0;
}

static inline unsigned hd_set_count(const struct hd_set *s)
{
    unsigned n = 0;

    for (int i = 0; i < HD_SET_WORDS; i++)
        n += (unsigned)__builtin_popcountll(s->w[i]);
    return n;
}

/* Returns the smallest member >= from; HD_MAX_THREADS if there is none. */
static inline unsigned hd_set_next(const struct hd_set *s, unsigned from)
{
    unsigned i = from >> 6;

    if (from >= HD_MAX_THREADS)
        return HD_MAX_THREADS;
    uint64_t w = s->w[i] & (~UINT64_C(0) << (from & 63));

    while (w == 0) {
        if (++i == HD_SET_WORDS)
            return HD_MAX_THREADS;
        w = s->w[i];
    }
    return i * 64 + (unsigned)__builtin_ctzll(w);
}

/* Returns the members of a that are not in b. */
static inline struct hd_set hd_set_minus(const struct hd_set *a, const struct hd_set *b)
{
    struct hd_set r;

    for (int i = 0; i < HD_SET_WORDS; i++)
        r.w[i] = a->w[i] & ~b->w[i];
    return r;
}

#define HD_SET_EACH(id, set) \
    for (unsigned id = hd_set_next((set), 0); id < HD_MAX_THREADS; id = hd_set_next((set), id + 1))

#endif
