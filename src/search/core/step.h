/* SPDX-License-Identifier: BSD-2-Clause
 *
 * step.h - a step as partial-order reduction sees it: its thread and its accesses.
 *
 * A step is everything between two decisions: the operation that was scheduled, and the following events that
 * are not scheduling points (such as an initialisation or the end of the thread).  The alternative taken at a
 * choice is a step of its own.  It touches nothing and always comes directly after the thread's previous step.
 *
 * Threads are identified by their slots, which denote the same threads in every execution. */
#ifndef HD_SEARCH_CORE_STEP_H
#define HD_SEARCH_CORE_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/event.h"

#define HD_STEP_ACCESSES 4

enum hd_step_flag {
    HD_STEP_CHOICE = 1, /* alternative alt of n was chosen */
    HD_STEP_MANY = 2,   /* it has more accesses than on[] can hold: on[] holds a struct hd_touched instead */
    HD_STEP_OPEN = 4,   /* a choice in a wakeup tree, for which it is not yet known whether another choice
                         * follows directly */
    HD_STEP_ALL = 8,    /* accesses unknown: assumed to conflict with everything */
};

struct hd_access_of {
    uint32_t obj : 30;
    uint32_t access : 2; /* enum hd_access */
};

struct hd_step {
    uint16_t slot;
    uint8_t naccesses;
    uint8_t flags; /* enum hd_step_flag */
    union {
        struct {
            uint16_t alt, n; /* for a step with HD_STEP_CHOICE */
        };
        uint32_t near; /* otherwise: for each access in on[], the bit object number mod 32.  Steps without a
                        * common bit do not conflict. */
    };
    struct hd_access_of on[HD_STEP_ACCESSES];
};

/* Sets of objects, one bit for each object number mod 64.  Numbers are assigned consecutively, so with up to 64
 * objects each has a bit of its own.  With more, a step may seem to touch objects that it does not touch.  That
 * is sound: at worst it wakes sleeping steps needlessly and causes redundant executions. */
struct hd_touched {
    uint64_t reads, updates; /* a write is in both sets */
};

#define HD_TOUCHED_BIT(obj) (UINT64_C(1) << (obj) % 64)

/* Sets one whole word.  Setting the bit fields one by one would make narrow stores, and the wider loads that
 * follow soon would have to wait for them (store forwarding fails). */
static inline struct hd_access_of hd_access_of(uint32_t obj, unsigned access)
{
    union {
        uint32_t word;
        struct hd_access_of on;
    } u = { (obj & 0x3fffffffu) | access << 30 };

    return u.on;
}

/* True if two accesses to the same object conflict. */
static inline bool hd_access_conflict(unsigned a, unsigned b)
{
    return a != b || a == HD_ACC_W;
}

/* Returns the number of accesses of the event and stores them in out. */
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

/* True if the event changes the object in a way that a polling thread can observe.  The lock and unlock of a
 * reader do, although they commute with those of other readers. */
static inline bool hd_event_changes(const struct hd_event *e, uint32_t obj)
{
    struct hd_access_of on[2];
    bool reader = !(e->flags & HD_EVF_FAILED) && (hd_kind_info[e->kind].change == HD_CHANGE_READ_IN ||
                                                  hd_kind_info[e->kind].change == HD_CHANGE_READ_OUT);

    if (hd_event_polls(e, hd_kind_traits[e->kind]))
        return false;
    for (unsigned i = hd_event_accesses(e, on); i > 0; i--)
        if (on[i - 1].obj == obj && (on[i - 1].access != HD_ACC_R || (reader && obj == e->obj)))
            return true;
    return false;
}

/* Returns a word with the object in the lower bits and the access class above them. */
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

/* The slow path of hd_step_conflict: one of the steps has a flag, so on[] alone does not decide. */
bool hd_step_conflict_of_many(const struct hd_step *a, const struct hd_step *b);

/* True if two of the accesses that the steps list conflict. */
static inline bool hd_step_accesses_conflict(const struct hd_step *a, const struct hd_step *b)
{
    for (unsigned i = 0; i < a->naccesses; i++)
        for (unsigned k = 0; k < b->naccesses; k++) {
            uint32_t x = hd_access_word(a->on[i]), differ = x ^ hd_access_word(b->on[k]);

            if (differ << 2 == 0 && hd_access_conflict(x >> 30, (x ^ differ) >> 30))
                return true;
        }
    return false;
}

/* True if the steps conflict.  Steps of one thread always do. */
static inline bool hd_step_conflict(const struct hd_step *a, const struct hd_step *b)
{
    if (a->slot == b->slot)
        return true;
    if (__builtin_expect(((a->flags | b->flags) & (HD_STEP_MANY | HD_STEP_ALL | HD_STEP_CHOICE)) != 0, 0))
        return hd_step_conflict_of_many(a, b);
    return (a->near & b->near) != 0 && hd_step_accesses_conflict(a, b);
}

/* Returns the alternative that the step takes, or 0 if it is not part of a choice. */
static inline uint16_t hd_step_alternative(const struct hd_step *s)
{
    return s->flags & HD_STEP_CHOICE ? s->alt : 0;
}

/* Sets s to the step that consists of these events. */
void hd_step_set(struct hd_step *s, uint16_t slot, const struct hd_event *events, uint32_t n);

/* Sets s to the step with these accesses. */
void hd_step_set_accesses(struct hd_step *s, uint16_t slot, const struct hd_access_of *on,
                          uint32_t n);

static inline struct hd_step hd_step_make(uint16_t slot, const struct hd_event *events, uint32_t n)
{
    struct hd_step s;

    hd_step_set(&s, slot, events, n);
    return s;
}

/* True if s touches the same objects as `before`, the same step of an earlier execution.  Also true if that is
 * unknown. */
static inline bool hd_step_repeats(const struct hd_step *s, const struct hd_step *before)
{
    if ((s->flags | before->flags) & ~HD_STEP_MANY || s->slot != before->slot)
        return true; /* a choice, or the accesses are unknown */
    return s->naccesses == before->naccesses && s->flags == before->flags &&
           __builtin_memcmp(s->on, before->on, s->naccesses * sizeof s->on[0]) == 0;
}

/* Returns the index of the first step of the thread in v; nv if there is none. */
uint32_t hd_step_first_of(const struct hd_step *const *v, uint32_t nv, uint16_t slot);

/* True if q is a weak initial of the sequence v, that is, if q can come first without changing the effect of v. */
bool hd_step_weak_initial(const struct hd_step *q, const struct hd_step *const *v, uint32_t nv);

/* A sequence that is queried for many steps. */
struct hd_sequence {
    const struct hd_step **v;
    uint32_t n;
    /* Summaries of all steps but the last, made when a query first needs them.  They may include steps that
     * have been removed since.  One bit per number mod 64: */
    bool noted, noted_classes;
    uint64_t slots;
    uint32_t near;       /* union of hd_step.near; all bits if a step has HD_STEP_MANY or HD_STEP_ALL */
    uint64_t touched[4]; /* objects by access class; valid if noted_classes */
    /* The steps on which the result of a query depends (decided.h): */
    const struct hd_step *own;    /* the result always depends on this one */
    const struct hd_step *latest; /* the latest of the others (all are in one array); NULL: none */
    bool loose;                   /* the result depends on some steps not being in the sequence */
    bool whole;                   /* all of the sequence is to be inserted into the tree (rule D7 of dpor.c) */
};

/* True if q and `at`, the first step of q's thread in v, are the same step.  They are not if they take
 * different alternatives of a choice. */
static inline bool hd_step_same(const struct hd_step *q, const struct hd_step *at)
{
    return !(q->flags & HD_STEP_CHOICE) || hd_step_alternative(at) == q->alt;
}

/* Tests whether q is a weak initial of a sequence that is not empty.  Returns the index of q in s, or s->n if q
 * is not in s but independent of all of it, or HD_NOT_INITIAL. */
#define HD_NOT_INITIAL UINT32_MAX
uint32_t hd_sequence_find(const struct hd_step *q, struct hd_sequence *s);

static inline uint32_t hd_sequence_initial(const struct hd_step *q, struct hd_sequence *s)
{
    if (__builtin_expect(s->v[0]->slot == q->slot, 1))
        return hd_step_same(q, s->v[0]) ? 0 : HD_NOT_INITIAL;
    return hd_sequence_find(q, s);
}

/* Records that the result depends on this step. */
static inline void hd_sequence_depends_on(struct hd_sequence *s, const struct hd_step *step)
{
    if (step != s->own && (s->latest == NULL || step > s->latest))
        s->latest = step;
}

/* Records that the result depends on the step that keeps q from being a weak initial. */
void hd_sequence_depends_on_obstacle(struct hd_sequence *s, const struct hd_step *q);

static inline bool hd_sequence_weak_initial(const struct hd_step *q, struct hd_sequence *s)
{
    return hd_sequence_initial(q, s) != HD_NOT_INITIAL;
}

/* True if q is in v and can come first. */
bool hd_step_initial(const struct hd_step *q, const struct hd_step *const *v, uint32_t nv);

#endif
