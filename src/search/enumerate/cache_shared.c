/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cache_shared.c - one table for several workers.  Makes no libc calls. */
#include "search/enumerate/cache_shared.h"

/* Layout of an owner, from the highest bit: BUSY (1 bit), worker (6), attempt (41), pass (16). */
#define BUSY (UINT64_C(1) << 63)
enum { PASS_BITS = 16, WORKER_SHIFT = 57 };

enum status { RUNS, COUNTS, VOID };

static uint64_t load(const uint64_t *p)
{
    return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}

static void store(uint64_t *p, uint64_t value)
{
    __atomic_store_n(p, value, __ATOMIC_RELEASE);
}

struct hd_cache_shared *hd_cache_shared_make(struct hd_share *sh, uint64_t megabytes)
{
    struct hd_cache_shared *c = hd_share_alloc(sh, sizeof *c);

    hd_cache_place(&c->table, hd_share_alloc(sh, hd_cache_bytes(megabytes)), megabytes);
    return c;
}

/* Returns the owner word of the worker's current attempt, without its pass. */
static uint64_t attempt_of(const struct hd_cache_shared *c, uint32_t worker)
{
    return (uint64_t)worker << WORKER_SHIFT | (load(&c->over[worker]) + 1) << PASS_BITS;
}

void hd_cache_shared_over(struct hd_cache_shared *c, uint32_t worker, bool failed)
{
    if (failed) {
        uint64_t n = __atomic_fetch_add(&c->nfailed, 1, __ATOMIC_ACQ_REL);

        if (n < HD_CACHE_FAILED)
            store(&c->failed[n], attempt_of(c, worker));
    }
    store(&c->over[worker], c->over[worker] + 1);
}

static enum status status_of(const struct hd_cache_shared *c, uint64_t owner, uint32_t pass)
{
    uint64_t attempt = owner & ~(uint64_t)(HD_CACHE_PASSES - 1);
    uint32_t worker = (uint32_t)(owner >> WORKER_SHIFT);

    if (owner - attempt != pass)
        return VOID;
    if (attempt >= attempt_of(c, worker))
        return RUNS;
    uint64_t n = load(&c->nfailed);

    for (uint64_t i = 0; i < n && i < HD_CACHE_FAILED; i++)
        if (load(&c->failed[i]) == attempt)
            return VOID;
    return COUNTS;
}

/* Marks the entry as being changed.  Returns false if another worker was faster. */
static bool take(struct hd_cache_entry *e, uint64_t owner, uint64_t mine)
{
    return __atomic_compare_exchange_n(&e->owner, &owner, mine | BUSY, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_RELAXED);
}

static bool visit(struct hd_cache_shared *c, struct hd_cache_entry *e, uint64_t owner,
                  uint64_t mine, const struct hd_cache_visit *v)
{
    uint64_t seen = load(&e->seen);
    enum status s = status_of(c, owner, (uint32_t)(mine & (HD_CACHE_PASSES - 1)));

    if (s == RUNS || load(&e->owner) != owner)
        return false;
    if (s == COUNTS && hd_cache_covers(seen, v->count, v->last))
        return true;
    if (take(e, owner, mine)) {
        store(&e->seen, hd_cache_with(s == COUNTS ? seen : 0, v->count, v->last));
        store(&e->owner, mine);
    }
    return false;
}

static void enter(struct hd_cache *t, struct hd_cache_entry *e, uint64_t mine,
                  const struct hd_cache_visit *v)
{
    __atomic_fetch_add(&t->used, 1, __ATOMIC_RELAXED);
    e->key = v->key;
    store(&e->seen, hd_cache_with(0, v->count, v->last));
    store(&e->owner, mine);
}

bool hd_cache_shared_known(struct hd_cache_shared *c, uint32_t worker, uint32_t pass,
                           const struct hd_cache_visit *v)
{
    struct hd_cache *t = &c->table;
    uint64_t mine = attempt_of(c, worker) | pass;

    if (pass >= HD_CACHE_PASSES || load(&c->nfailed) > HD_CACHE_FAILED)
        return false;
    for (uint64_t i = v->key.lo & t->mask;; i = (i + 1) & t->mask) {
        struct hd_cache_entry *e = &t->entry[i];
        uint64_t owner = load(&e->owner);

        if (owner == 0 && load(&t->used) > t->mask - t->mask / 8)
            return false; /* the table is full */
        if (owner == 0 && take(e, 0, mine)) {
            enter(t, e, mine, v);
            return false;
        }
        owner = load(&e->owner);
        if (!(owner & BUSY) && e->key.lo == v->key.lo && e->key.hi == v->key.hi)
            return visit(c, e, owner, mine, v);
    }
}
