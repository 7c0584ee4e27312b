/* SPDX-License-Identifier: BSD-2-Clause
 *
 * loop.c - recognises loops that wait.  See loop.h. */
#include "runtime/progress/loop.h"

#include "runtime/progress/cycle.h"

enum {
    LONGEST_ROUND = 48,  /* in events */
    PATIENCE = 4,        /* W1, factor of --loop-bound: rounds that only wait */
    INDULGENCE = 400,    /* W1, factor of --loop-bound: rounds that find something unchanged */
    MOST_DOUBLINGS = 16, /* W2 */
};

static struct hd_set waiting;  /* W2: threads stopped since some other thread has moved */
static uint32_t stopped_event; /* number of events when the last of them was stopped */

void hd_loop_begin(void)
{
    waiting = (struct hd_set){ { 0 } };
    stopped_event = 0;
}

/* If the table is full, the loop is only counted. */
HD_COLD void hd_loop_cut(uint64_t pc, uint32_t rounds)
{
    struct hd_wire *w = hd.wire;
    uint32_t i = 0;

    hd.exec->loop_cuts++;
    while (i < w->nloops && w->loops[i] != pc)
        i++;
    if (i == HD_MAX_LOOPS)
        return;
    if (i == w->nloops || rounds < w->loop_rounds[i])
        w->loop_rounds[i] = rounds;
    w->loops[i] = pc;
    if (i == w->nloops)
        __atomic_store_n(&w->nloops, i + 1, __ATOMIC_RELEASE);
}

/* ---- W1 ------------------------------------------------------------------------------ */

/* The objects of plain accesses may differ: each round may use a newly allocated block. */
static bool same_operation(const struct hd_event *a, const struct hd_event *b)
{
    bool plain = a->kind == HD_EV_PLAIN_READ || a->kind == HD_EV_PLAIN_WRITE;

    return a->tid == b->tid && a->kind == b->kind && a->pc == b->pc && (plain || a->obj == b->obj) &&
           ((a->flags ^ b->flags) & HD_EVF_FAILED) == 0;
}

static bool repeats(const struct hd_event *end, uint32_t round, uint32_t length)
{
    for (const struct hd_event *e = end - 1; e >= end - length + round; e--)
        if (!same_operation(e, e - round))
            return false;
    return true;
}

/* State inside libc is excluded: an operation on it fails for other reasons than waiting, and a
 * read of it records no value. */
static bool is_of_libc(const struct hd_event *e)
{
    return e->kind == HD_EV_STATE_READ || e->kind == HD_EV_STATE_WRITE;
}

static bool is_pause(const struct hd_event *e)
{
    unsigned traits = hd_kind_traits[e->kind];

    if (is_of_libc(e))
        return false;
    return (traits & HD_TRAIT_YIELDS) || ((traits & HD_TRAIT_POLLS) && (e->flags & HD_EVF_FAILED));
}

static bool is_work(const struct hd_event *e)
{
    unsigned props = hd_kind_info[e->kind].props;

    return props & (e->flags & HD_EVF_FAILED ? HD_PROP_WORKS : HD_PROP_WORKS | HD_PROP_WORKS_OK);
}

/* Precondition: the last two rounds before end are equal.  Returns how many times --loop-bound such
 * rounds are followed; 0: without limit. */
static uint32_t patience_with(const struct hd_event *end, uint32_t round)
{
    bool pauses = false, idles = true, works = false, looks = false;

    for (const struct hd_event *e = end - round; e < end; e++) {
        unsigned traits = hd_kind_traits[e->kind];
        bool as_before = hd_event_polls(e, traits) && e->obj == (e - round)->obj &&
                         e->value == (e - round)->value;

        pauses |= is_pause(e);
        works |= is_work(e);
        idles &= as_before;
        looks |= as_before && (traits & HD_TRAIT_POLLS) && !is_of_libc(e);
    }
    return (pauses || idles) && !works ? PATIENCE : looks ? INDULGENCE : 0;
}

static bool is_alone(const struct hd_thread *t, const struct hd_event *end, uint32_t round)
{
    for (const struct hd_event *e = end - round; e < end; e++)
        if (e->tid != t->tid)
            return false;
    return true;
}

/* Returns the number of events of that many equal rounds before end, or 0 if they are not equal. */
static uint32_t goes_round(const struct hd_event *end, uint32_t round, uint32_t rounds, uint32_t most)
{
    uint64_t length = (uint64_t)round * (rounds + 1);

    return length <= most && repeats(end, round, (uint32_t)length) ? (uint32_t)length : 0;
}

uint32_t hd_loop_waits(const struct hd_thread *t, uint32_t *since)
{
    uint32_t n = hd.exec->nevents, most = n - *since, shortest = PATIENCE * hd.cfg->loop_bound;
    const struct hd_event *end = hd.exec->events + n;

    if (hd.exit_begun || t->in_section)
        return 0;
    for (uint32_t round = 1; round <= LONGEST_ROUND && is_alone(t, end, round); round++) {
        if ((uint64_t)round * (shortest + 1) > most)
            return 0;
        if (goes_round(end, round, shortest, most) == 0)
            continue;
        uint32_t rounds = patience_with(end, round) * hd.cfg->loop_bound;
        uint32_t length = rounds != 0 ? goes_round(end, round, rounds, most) : 0;

        if (length == 0)
            return 0;
        *since = n;
        return hd_cycle_is_fair(n - length) ? 0 : rounds;
    }
    return 0;
}

/* ---- W2 ------------------------------------------------------------------------------ */

static bool only_they_ran(void)
{
    for (uint32_t i = stopped_event; i < hd.exec->nevents; i++)
        if (!hd_set_has(&waiting, hd.exec->events[i].tid))
            return false;
    return true;
}

uint32_t hd_loop_stopped(const struct hd_thread *t, uint32_t before)
{
    hd_set_add(&waiting, t->tid);
    if (!only_they_ran()) {
        waiting = (struct hd_set){ { 0 } };
        hd_set_add(&waiting, t->tid);
    }
    stopped_event = hd.exec->nevents;
    hd_fact(HD_FACT_LOOP);
    return 1u << (before < MOST_DOUBLINGS ? before : MOST_DOUBLINGS);
}

bool hd_loop_counts(const struct hd_thread *by)
{
    return !hd_set_has(&waiting, by->tid);
}
