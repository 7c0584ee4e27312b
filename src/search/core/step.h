/* SPDX-License-Identifier: BSD-2-Clause
 *
 * step.h - a step as partial-order reduction sees it: whose it is and what it
 * touches.
 *
 * A step is everything between two decisions: the operation that was waited for
 * and the events behind it that are no scheduling points (init, thread end).  The
 * alternative that a choice takes is a step of its own, which touches nothing and
 * always follows the step before it at once.
 *
 * Threads are named by slot, which means the same in every execution. */
#ifndef HD_SEARCH_CORE_STEP_H
#define HD_SEARCH_CORE_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/event.h"

#define HD_STEP_ACCESSES 4

enum hd_step_flag {
    HD_STEP_CHOICE = 1, /* alt of n was chosen */
    HD_STEP_MANY = 2,   /* touches more than fits: on[] is a struct hd_touched */
    HD_STEP_OPEN = 4,   /* a choice in a wakeup tree: nobody has seen yet whether another one
                         * comes between it and what is to follow */
    HD_STEP_ALL = 8,    /* nobody knows what it touches: taken to conflict with everything */
};

struct hd_access_of {
    uint32_t obj : 30;
    uint32_t access : 2; /* enum hd_access */
};

struct hd_step {
    uint16_t slot;
    uint8_t naccesses;
    uint8_t flags; /* enum hd_step_flag */
    uint16_t alt;
    uint16_t n;
    struct hd_access_of on[HD_STEP_ACCESSES];
};

/* Objects by the last six bits of their numbers, which are given out one after the other: in
 * a program of up to 64 objects each has its own bit, in a larger one a step may seem to touch
 * what it does not.  That is never wrong, but what it wakes may be explored again. */
struct hd_touched {
    uint64_t reads, updates; /* a write is in both */
};

#define HD_TOUCHED_BIT(obj) (UINT64_C(1) << (obj) % 64)

/* As one word: bit fields that are set one after the other are narrow stores, which the
 * loads that soon follow would have to wait for. */
static inline struct hd_access_of hd_access_of(uint32_t obj, unsigned access)
{
    union {
        uint32_t word;
        struct hd_access_of on;
    } u = { (obj & 0x3fffffffu) | access << 30 };

    return u.on;
}

/* Same object is the caller's business. */
static inline bool hd_access_conflict(unsigned a, unsigned b)
{
    return a != b || a == HD_ACC_W;
}

/* The access classes of an event; objects it does not have are 0. */
static inline unsigned hd_event_accesses(const struct hd_event *e, struct hd_access_of *out)
{
    const struct hd_kind_info *k = &hd_kind_info[e->kind];
    unsigned first = e->flags & HD_EVF_FAILED ? k->fail1 : k->ok1;
    unsigned n = 0;

    if (e->obj != 0 && first != HD_ACC_N)
        out[n++] = hd_access_of(e->obj, first & 3);
    if (e->obj2 != 0 && k->acc2 != HD_ACC_N)
        out[n++] = hd_access_of(e->obj2, k->acc2 & 3u);
    return n;
}

static inline bool hd_event_touches(const struct hd_event *e, uint32_t obj)
{
    struct hd_access_of on[2];

    for (unsigned i = hd_event_accesses(e, on); i > 0; i--)
        if (on[i - 1].obj == obj)
            return true;
    return false;
}

/* Does it change the object as far as a thread can tell that polls it? */
static inline bool hd_event_changes(const struct hd_event *e, uint32_t obj)
{
    struct hd_access_of on[2];

    if (hd_event_polls(e, hd_kind_traits[e->kind]))
        return false;
    for (unsigned i = hd_event_accesses(e, on); i > 0; i--)
        if (on[i - 1].obj == obj && on[i - 1].access != HD_ACC_R)
            return true;
    return false;
}

/* The object in the lower bits, the class above. */
static inline uint32_t hd_access_word(struct hd_access_of on)
{
    union {
        struct hd_access_of on;
        uint32_t word;
    } u = { on };

    return u.word;
}

struct hd_touched hd_step_touched(const struct hd_step *s);

static inline bool hd_touched_conflict(struct hd_touched a, struct hd_touched b)
{
    return ((a.reads & b.updates) | (a.updates & b.reads)) != 0;
}

/* The same as below where one of them is HD_STEP_MANY or HD_STEP_ALL. */
bool hd_step_conflict_of_many(const struct hd_step *a, const struct hd_step *b);

/* Steps of one thread conflict, whatever they touch. */
static inline bool hd_step_conflict(const struct hd_step *a, const struct hd_step *b)
{
    if (a->slot == b->slot)
        return true;
    if (__builtin_expect(((a->flags | b->flags) & (HD_STEP_MANY | HD_STEP_ALL)) != 0, 0))
        return hd_step_conflict_of_many(a, b);
    for (unsigned i = 0; i < a->naccesses; i++)
        for (unsigned k = 0; k < b->naccesses; k++) {
            uint32_t x = hd_access_word(a->on[i]), differ = x ^ hd_access_word(b->on[k]);

            if (differ << 2 == 0 && hd_access_conflict(x >> 30, (x ^ differ) >> 30))
                return true;
        }
    return false;
}

/* What the step consisting of these events touches. */
void hd_step_set(struct hd_step *s, uint16_t slot, const struct hd_event *events, uint32_t n);

/* What the step of these accesses touches. */
void hd_step_set_accesses(struct hd_step *s, uint16_t slot, const struct hd_access_of *on,
                          uint32_t n);

static inline struct hd_step hd_step_make(uint16_t slot, const struct hd_event *events, uint32_t n)
{
    struct hd_step s;

    hd_step_set(&s, slot, events, n);
    return s;
}

/* Does it touch the same as when it was executed before, of which both tell all? */
static inline bool hd_step_repeats(const struct hd_step *s, const struct hd_step *before)
{
    if ((s->flags | before->flags) & ~HD_STEP_MANY || s->slot != before->slot)
        return true; /* a choice, or nobody knows: nothing to compare */
    return s->naccesses == before->naccesses && s->flags == before->flags &&
           __builtin_memcmp(s->on, before->on, s->naccesses * sizeof s->on[0]) == 0;
}

/* Where the thread comes first in v; nv when it does not. */
uint32_t hd_step_first_of(const struct hd_step *const *v, uint32_t nv, uint16_t slot);

/* Is q a weak initial of the sequence v: could it come first without changing
 * what v does? */
bool hd_step_weak_initial(const struct hd_step *q, const struct hd_step *const *v, uint32_t nv);

/* A sequence that is asked about many steps. */
struct hd_sequence {
    const struct hd_step **v;
    uint32_t n;
    /* Noted at the first need, of all but the last, and what has left the sequence since; one
     * bit for all numbers with the same remainder: */
    bool noted;
    uint64_t slots;
    uint64_t touched[4]; /* objects, by class of access */
    /* What was found out of it rests on (decided.h): */
    const struct hd_step *own;    /* this one of its steps, in any case */
    const struct hd_step *latest; /* the latest of the others; they are in one array; NULL none */
    bool loose;                   /* that some steps are not in it */
    bool whole;                   /* all of it becomes a part of the tree (dpor.c, D7) */
};

/* q's thread comes first in v at `at`: is that q?  Other alternatives are other steps. */
static inline bool hd_step_same(const struct hd_step *q, const struct hd_step *at)
{
    return !(q->flags & HD_STEP_CHOICE) || at->alt == q->alt;
}

/* The same of a sequence that is not empty: where q comes in it; s->n when q is beside it; HD_NOT_INITIAL. */
#define HD_NOT_INITIAL UINT32_MAX
uint32_t hd_sequence_find(const struct hd_step *q, struct hd_sequence *s);

static inline uint32_t hd_sequence_initial(const struct hd_step *q, struct hd_sequence *s)
{
    if (__builtin_expect(s->v[0]->slot == q->slot, 1))
        return hd_step_same(q, s->v[0]) ? 0 : HD_NOT_INITIAL;
    return hd_sequence_find(q, s);
}

/* What is found out rests on this step of it. */
static inline void hd_sequence_rests_on(struct hd_sequence *s, const struct hd_step *step)
{
    if (step != s->own && (s->latest == NULL || step > s->latest))
        s->latest = step;
}

/* It rests on what keeps q from being a weak initial. */
void hd_sequence_rests_on_obstacle(struct hd_sequence *s, const struct hd_step *q);

static inline bool hd_sequence_weak_initial(const struct hd_step *q, struct hd_sequence *s)
{
    return hd_sequence_initial(q, s) != HD_NOT_INITIAL;
}

/* Is q in v, and could it come first? */
bool hd_step_initial(const struct hd_step *q, const struct hd_step *const *v, uint32_t nv);

#endif
