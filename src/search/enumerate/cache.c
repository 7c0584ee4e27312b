/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cache.c - a hash table with open addressing and linear probing.  Pages of the table to which no hash maps are
 * never touched.  Makes no libc calls. */
#include "search/enumerate/cache.h"

#include <stdatomic.h>

enum { COUNT_BITS = 24, LAST_BITS = 10, LASTS = 4 };

static uint32_t count_of(uint64_t seen)
{
    return (uint32_t)(seen & HD_CACHE_MAX_COUNT);
}

/* Returns 1 + the slot of a last thread; 0: none. */
static unsigned last_of(uint64_t seen, unsigned i)
{
    return (unsigned)(seen >> (COUNT_BITS + LAST_BITS * i)) & ((1u << LAST_BITS) - 1);
}

static uint64_t with_last(unsigned last, unsigned i)
{
    return (uint64_t)(last + 1) << (COUNT_BITS + LAST_BITS * i);
}

bool hd_cache_covers(uint64_t seen, uint32_t count, unsigned last)
{
    if (seen == 0 || count < count_of(seen))
        return false;
    if (count > count_of(seen))
        return true;
    for (unsigned i = 0; i < LASTS; i++)
        if (last_of(seen, i) == last + 1 || last_of(seen, i) == HD_CACHE_ANY + 1)
            return true;
    return false;
}

/* Adds a visit.  One that costs less covers all that the word holds, so it replaces them.  The word has room
 * for four last threads of the same cost; a fifth is not stored. */
uint64_t hd_cache_with(uint64_t seen, uint32_t count, unsigned last)
{
    uint64_t alone = count | with_last(last, 0);

    if (seen == 0 || count < count_of(seen) || last == HD_CACHE_ANY)
        return alone;
    for (unsigned i = 0; i < LASTS; i++)
        if (last_of(seen, i) == last + 1)
            return seen;
        else if (last_of(seen, i) == 0)
            return seen | with_last(last, i);
    return seen;
}

static uint64_t entries_of(uint64_t megabytes)
{
    uint64_t n = 1;

    while (2 * n * sizeof(struct hd_cache_entry) <= megabytes << 20)
        n *= 2;
    return n;
}

size_t hd_cache_bytes(uint64_t megabytes)
{
    return entries_of(megabytes) * sizeof(struct hd_cache_entry);
}

void hd_cache_place(struct hd_cache *c, void *memory, uint64_t megabytes)
{
    c->mask = entries_of(megabytes) - 1;
    c->entry = memory;
}

void hd_cache_init(struct hd_cache *c, struct hd_arena *arena, uint64_t megabytes)
{
    if (c->entry == NULL)
        hd_cache_place(c, hd_arena_alloc(arena, hd_cache_bytes(megabytes)), megabytes);
}

/* Returns the entry of the key, or the free entry in which to put it. */
static struct hd_cache_entry *find(const struct hd_cache *c, struct hd_hash128 key)
{
    uint64_t i = key.lo & c->mask;

    while (c->entry[i].owner != 0 &&
           (c->entry[i].key.lo != key.lo || c->entry[i].key.hi != key.hi))
        i = (i + 1) & c->mask;
    return &c->entry[i];
}

static void enter(struct hd_cache *c, struct hd_cache_entry *e, const struct hd_cache_visit *v)
{
    if (c->used > c->mask - c->mask / 8)
        return; /* full: some entries must stay free so that the search for a missing key ends */
    c->used++;
    e->key = v->key;
    e->seen = hd_cache_with(0, v->count, v->last);
    atomic_signal_fence(memory_order_release);
    e->owner = v->index + 1;
}

bool hd_cache_known(struct hd_cache *c, const struct hd_cache_visit *v)
{
    struct hd_cache_entry *e = find(c, v->key);

    if (e->owner == 0) {
        enter(c, e, v);
        return false;
    }
    if (e->owner <= v->first)
        e->seen = 0;
    else if (e->owner != v->index + 1 && hd_cache_covers(e->seen, v->count, v->last))
        return true;
    atomic_signal_fence(memory_order_release);
    e->owner = v->index + 1;
    atomic_signal_fence(memory_order_release);
    e->seen = hd_cache_with(e->seen, v->count, v->last);
    return false;
}
