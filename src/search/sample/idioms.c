/* SPDX-License-Identifier: BSD-2-Clause
 *
 * idioms.c - the tables of places and idioms: arrays with a hash index. */
#include "search/sample/idioms.h"

#include <stdatomic.h>

#include "base/hash.h"

#define PLACES (1u << 13)
#define IDIOMS (1u << 18)

void hd_idioms_init(struct hd_idioms *t, struct hd_arena *arena)
{
    t->place = hd_arena_alloc(arena, PLACES * sizeof *t->place);
    t->idiom = hd_arena_alloc(arena, IDIOMS * sizeof *t->idiom);
    t->place_hash = hd_arena_alloc(arena, 2 * PLACES * sizeof *t->place_hash);
    t->idiom_hash = hd_arena_alloc(arena, 2 * IDIOMS * sizeof *t->idiom_hash);
}

/* Stores the slot before the count, so that rule I1 holds even if the process is killed in between. */
static void publish(uint32_t *slot, uint32_t *count)
{
    *slot = *count + 1;
    atomic_signal_fence(memory_order_release);
    ++*count;
}

uint16_t hd_idioms_place(struct hd_idioms *t, const struct hd_event *e, unsigned which)
{
    uint64_t h = hd_hash_mix(e->pc, (uint64_t)e->kind << 8 | which);

    for (;; h++) {
        uint32_t *slot = &t->place_hash[h % (2 * PLACES)];
        uint32_t i = *slot - 1;

        if (*slot == 0 || i >= t->nplaces) {
            if (t->nplaces == PLACES) {
                t->full = true;
                return HD_NO_PLACE;
            }
            t->place[t->nplaces] =
                (struct hd_idiom_place){ e->pc, e->kind, (uint8_t)which };
            publish(slot, &t->nplaces);
            return (uint16_t)(t->nplaces - 1);
        }
        if (t->place[i].pc == e->pc && t->place[i].kind == e->kind && t->place[i].which == which)
            return (uint16_t)i;
    }
}

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

void hd_idioms_add(struct hd_idioms *t, unsigned shape, const uint16_t *at, bool seen)
{
    struct hd_idiom r = named(shape, at);
    uint64_t h = hd_hash_bytes(r.shape, r.at, sizeof r.at);

    for (;; h++) {
        uint32_t *slot = &t->idiom_hash[h % (2 * IDIOMS)];
        uint32_t i = *slot - 1;

        if (*slot == 0 || i >= t->nidioms) {
            if (t->nidioms == IDIOMS) {
                t->full = true;
                return;
            }
            r.seen = seen;
            t->idiom[t->nidioms] = r;
            publish(slot, &t->nidioms);
            return;
        }
        if (same(&t->idiom[i], &r)) {
            t->idiom[i].seen |= seen;
            return;
        }
    }
}
