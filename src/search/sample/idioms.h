/* SPDX-License-Identifier: BSD-2-Clause
 *
 * idioms.h - interleaving idioms, which maple.c counts and forces.  An idiom is a few accesses at given places in the
 * code, by two threads, in a given order (Yu et al. 2012 call an instance of an idiom an iRoot).
 *
 *   1  a | b         two accesses that conflict, nothing between them
 *   2  a | b | a'    b comes between two accesses of the other thread to one object
 *   3  a | b b' | a' two accesses come between, all to one object
 *   4  a | b b' | a' the same with two objects: a and b use one, b' and a' the other
 *   5  a, b | b', a' each thread's second access comes after the other's first:
 *                    a and b' use one object, b and a' another (two locks: a deadlock)
 *
 * The tables of places and of idioms only grow, and the executions determine the order of their entries.  Adding an
 * entry twice changes nothing (rule S4).
 *
 * I1  The number of entries is stored last and makes a new entry valid.  A hash slot that refers to an entry
 *     beyond that number is free.
 * I2  Several workers add to the same tables.  They look entries up without a lock, which I1 allows, and take the
 *     share's lock to add one. */
#ifndef HD_SEARCH_SAMPLE_IDIOMS_H
#define HD_SEARCH_SAMPLE_IDIOMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/event.h"
#include "search/core/share.h"

#define HD_IDIOM_EVENTS 4
#define HD_NO_PLACE 0xffffu

/* The place of an access in the code; the same in every execution. */
struct hd_idiom_place {
    uint64_t pc;
    uint8_t kind;  /* enum hd_kind */
    uint8_t which; /* index of the access within the event */
};

struct hd_idiom {
    uint8_t shape;   /* 1 to 5 */
    uint8_t seen;    /* it occurred in some execution */
    uint16_t at[HD_IDIOM_EVENTS]; /* places in the order of the table above; unused ones are 0 */
};

struct hd_idiom_counts {
    uint32_t nplaces, nidioms;
    bool full; /* an entry was dropped for lack of room */
};

/* A worker's view of the tables. */
struct hd_idioms {
    struct hd_idiom_counts *n;
    struct hd_idiom_place *place;
    struct hd_idiom *idiom;
    uint32_t *place_hash, *idiom_hash; /* 1 + an index; 0: free */
    struct hd_share *share;            /* its lock protects additions to the tables; NULL: there is one worker */
    uint32_t worker;
};

void hd_idioms_init(struct hd_idioms *t, struct hd_arena *arena);
/* Like hd_idioms_init, in memory that all workers share.  The caller holds the lock of the share.  Each worker gets
 * a copy of *t. */
void hd_idioms_init_shared(struct hd_idioms *t, struct hd_share *sh);

static inline uint32_t hd_idioms_count(const struct hd_idioms *t)
{
    return __atomic_load_n(&t->n->nidioms, __ATOMIC_ACQUIRE);
}

static inline bool hd_idioms_seen(const struct hd_idioms *t, uint64_t i)
{
    return __atomic_load_n(&t->idiom[i].seen, __ATOMIC_RELAXED);
}

/* Returns the number of the place of access `which` of e, which is added if it is new.  HD_NO_PLACE if there is
 * no room. */
uint16_t hd_idioms_place(struct hd_idioms *t, const struct hd_event *e, unsigned which);

/* Adds an idiom that is possible or, if `seen`, has occurred. `at` has as many places as the shape has
 * accesses. */
void hd_idioms_add(struct hd_idioms *t, unsigned shape, const uint16_t *at, bool seen);

/* Returns the number of accesses of a shape. */
static inline unsigned hd_idiom_length(unsigned shape)
{
    return shape == 1 ? 2 : shape == 2 ? 3 : 4;
}

/* Returns which of the two threads, 0 or 1, makes access i. */
static inline unsigned hd_idiom_role(unsigned shape, unsigned i)
{
    return shape < 3 ? i & 1 : i == 1 || i == 2;
}

/* Returns which of the objects, 0 or 1, access i uses. */
static inline unsigned hd_idiom_object(unsigned shape, unsigned i)
{
    return shape == 4 ? i >= 2 : shape == 5 ? i & 1 : 0;
}

#endif
