/* SPDX-License-Identifier: BSD-2-Clause
 *
 * learnt.h - facts that lazy reductions have learnt about the program, shared by several workers.
 *
 * Lazy reductions ignore the order in which threads hold a mutex until an execution shows that it matters.  With one
 * worker, the search then starts again.  With several workers, all must stop, because an equivalence class that one of
 * them has skipped may have to be explored now.  They begin a new pass together (search/core/passes.h).
 *
 * L1  `found` only grows.  `used` is what was found when the pass began, and does not change within a pass.
 * L2  A fact is counted before it is stored.  If the worker is killed in between, the new pass begins without the
 *     fact, and finds it again. */
#ifndef HD_MODEL_LEARNT_H
#define HD_MODEL_LEARNT_H

#include <stdbool.h>
#include <stdint.h>

#define HD_LEARNT_OBJECTS (1u << 20)

struct hd_learnt_facts {
    uint64_t fallback; /* enum hd_fallback: the strategy must continue as a weaker one */
    uint64_t ordinary[HD_LEARNT_OBJECTS / 64]; /* one bit per object: set for a mutex whose order matters */
};

struct hd_learnt {
    uint64_t n; /* grows with each fact that the current pass does not use yet */
    struct hd_learnt_facts found, used;
};

static inline uint64_t hd_learnt_count(const struct hd_learnt *l)
{
    return __atomic_load_n(&l->n, __ATOMIC_ACQUIRE);
}

static inline void hd_learnt_ordinary(struct hd_learnt *l, uint32_t obj)
{
    __atomic_fetch_add(&l->n, 1, __ATOMIC_ACQ_REL);
    if (obj < HD_LEARNT_OBJECTS)
        __atomic_fetch_or(&l->found.ordinary[obj / 64], UINT64_C(1) << (obj % 64), __ATOMIC_RELEASE);
}

static inline void hd_learnt_fallback(struct hd_learnt *l, uint64_t why)
{
    __atomic_fetch_add(&l->n, 1, __ATOMIC_ACQ_REL);
    __atomic_store_n(&l->found.fallback, why, __ATOMIC_RELEASE);
}

static inline bool hd_learnt_is_ordinary(const struct hd_learnt *l, uint32_t obj)
{
    return obj >= HD_LEARNT_OBJECTS || (l->used.ordinary[obj / 64] >> (obj % 64) & 1) != 0;
}

/* Puts all facts into effect that were found.  Only the worker that prepares a pass calls this, while no other
 * worker accesses the facts. */
static inline void hd_learnt_use(struct hd_learnt *l)
{
    l->used.fallback = l->found.fallback;
    for (uint32_t i = 0; i < HD_LEARNT_OBJECTS / 64; i++)
        if (l->used.ordinary[i] != l->found.ordinary[i]) /* only pages with new facts are written */
            l->used.ordinary[i] = l->found.ordinary[i];
}

#endif
