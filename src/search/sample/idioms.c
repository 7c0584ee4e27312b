/* SPDX-License-Identifier: BSD-2-Clause
 *
 * idioms.c - the tables of places and idioms: arrays with a hash index. */
#include "search/sample/idioms.h"

#include "base/hash.h"

#define PLACES (1u << 13)
#define IDIOMS (1u << 18)

void hd_idioms_init(struct hd_idioms *t, struct hd_arena *arena)
{
    t->n = hd_arena_alloc(arena, sizeof *t->n);
    t->place = hd_arena_alloc(arena, PLACES * sizeof *t->place);
    t->idiom = hd_arena_alloc(arena, IDIOMS * sizeof *t->idiom);
    t->place_hash = hd_arena_alloc(arena, 2 * PLACES * sizeof *t->place_hash);
    t->idiom_hash = hd_arena_alloc(arena, 2 * IDIOMS * sizeof *t->idiom_hash);
}

void hd_idioms_init_shared(struct hd_idioms *t, struct hd_share *sh)
{
    t->n = hd_share_alloc(sh, sizeof *t->n);
    t->place = hd_share_alloc(sh, PLACES * sizeof *t->place);
    t->idiom = hd_share_alloc(sh, IDIOMS * sizeof *t->idiom);
    t->place_hash = hd_share_alloc(sh, 2 * PLACES * sizeof *t->place_hash);
    t->idiom_hash = hd_share_alloc(sh, 2 * IDIOMS * sizeof *t->idiom_hash);
}

static void lock(struct hd_idioms *t)
{
    if (t->share != NULL)
        hd_share_lock(t->share, t->worker);
}

static void unlock(struct hd_idioms *t)
{
    if (t->share != NULL)
        hd_share_unlock(t->share);
}

/* Stores the slot before the count, so that rule I1 holds even if the process is killed in between. */
static void publish(uint32_t *slot, uint32_t *count)
{
    uint32_t n = *count + 1;

    __atomic_store_n(slot, n, __ATOMIC_RELAXED);
    __atomic_store_n(count, n, __ATOMIC_RELEASE);
}

/* Returns the entry's number that the hash slot contains, or UINT32_MAX if the slot is free (I1). */
static uint32_t number_in(const uint32_t *slot, const uint32_t *count)
{
    uint32_t n = __atomic_load_n(slot, __ATOMIC_RELAXED);

    return n == 0 || n > __atomic_load_n(count, __ATOMIC_ACQUIRE) ? UINT32_MAX : n - 1;
}

/* ---- places ---- */

/* Returns the number of the place.  If it is unknown, returns UINT32_MAX and sets *slot to the free slot for it. */
static uint32_t find_place(struct hd_idioms *t, const struct hd_event *e, unsigned which, uint32_t **slot)
{
    for (uint64_t h = hd_hash_mix(e->pc, (uint64_t)e->kind << 8 | which);; h++) {
        *slot = &t->place_hash[h % (2 * PLACES)];
        uint32_t i = number_in(*slot, &t->n->nplaces);

        if (i == UINT32_MAX ||
            (t->place[i].pc == e->pc && t->place[i].kind == e->kind && t->place[i].which == which))
            return i;
    }
}

uint16_t hd_idioms_place(struct hd_idioms *t, const struct hd_event *e, unsigned which)
{
    uint32_t *slot, i = find_place(t, e, which, &slot);

    if (i != UINT32_MAX)
        return (uint16_t)i;
    lock(t);
    i = find_place(t, e, which, &slot); /* another worker may have added it meanwhile */
    if (i == UINT32_MAX && t->n->nplaces == PLACES) {
        t->n->full = true;
        i = HD_NO_PLACE;
    } else if (i == UINT32_MAX) {
        i = t->n->nplaces;
        t->place[i] = (struct hd_idiom_place){ e->pc, e->kind, (uint8_t)which };
        publish(slot, &t->n->nplaces);
    }
    unlock(t);
    return (uint16_t)i;
}

/* ---- idioms ---- */

static bool same(const struct hd_idiom *a, const struct hd_idiom *b)
{
    bool equal = a->shape == b->shape;

    for (int i = 0; i < HD_IDIOM_EVENTS; i++)
        equal &= a->at[i] == b->at[i];
    return equal;
}

/* An idiom of shape 5 has two names, depending on which thread counts as the first.  Chooses one of them. */
static struct hd_idiom named(unsigned shape, const uint16_t *at)
{
    struct hd_idiom r = { .shape = (uint8_t)shape };
    bool swap = shape == 5 && (at[1] < at[0] || (at[1] == at[0] && at[2] < at[3]));

    for (unsigned i = 0; i < hd_idiom_length(shape); i++)
        r.at[i] = at[swap ? i ^ 1 : i];
    return r;
}

/* Like find_place, for idioms. */
static uint32_t find_idiom(struct hd_idioms *t, const struct hd_idiom *r, uint32_t **slot)
{
    for (uint64_t h = hd_hash_bytes(r->shape, r->at, sizeof r->at);; h++) {
        *slot = &t->idiom_hash[h % (2 * IDIOMS)];
        uint32_t i = number_in(*slot, &t->n->nidioms);

        if (i == UINT32_MAX || same(&t->idiom[i], r))
            return i;
    }
}

void hd_idioms_add(struct hd_idioms *t, unsigned shape, const uint16_t *at, bool seen)
{
    struct hd_idiom r = named(shape, at);
    uint32_t *slot, i = find_idiom(t, &r, &slot);

    if (i == UINT32_MAX) {
        lock(t);
        i = find_idiom(t, &r, &slot);
        if (i == UINT32_MAX && t->n->nidioms == IDIOMS) {
            t->n->full = true;
        } else if (i == UINT32_MAX) {
            i = t->n->nidioms;
            r.seen = false;
            t->idiom[i] = r;
            publish(slot, &t->n->nidioms);
        }
        unlock(t);
    }
    if (seen && i != UINT32_MAX && !hd_idioms_seen(t, i))
        __atomic_store_n(&t->idiom[i].seen, true, __ATOMIC_RELAXED);
}
