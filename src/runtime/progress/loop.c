/* SPDX-License-Identifier: BSD-2-Clause
 *
 * loop.c - recognises loops that wait.  See loop.h. */
#include "runtime/progress/loop.h"

#include "runtime/core/ledger.h"
#include "runtime/core/state.h"
#include "runtime/progress/cycle.h"
#include "runtime/progress/period.h"
#include "runtime/progress/policy.h"
#include "runtime/sys/compiler.h"
#include "wire/wire.h"

static struct hd_set waiting;  /* W2: threads that were stopped since some other thread last moved */
static uint32_t stopped_event; /* number of events when the last of them was stopped */

void hd_loop_begin(void)
{
    waiting = (struct hd_set){ 0 };
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

/* Precondition: the last two rounds before end are equal.  NONE: such rounds may repeat without limit. */
static enum hd_loop_kind kind_of(const struct hd_event *end, uint32_t round)
{
    bool pauses = false, idles = true, works = false, reads = false;

    for (const struct hd_event *e = end - round; e < end; e++) {
        unsigned traits = hd_kind_traits[e->kind];
        bool as_before = hd_event_polls(e, traits) && e->obj == (e - round)->obj &&
                         e->value == (e - round)->value;

        pauses |= is_pause(e);
        works |= is_work(e);
        idles &= as_before;
        reads |= as_before && (traits & HD_TRAIT_POLLS) && !is_of_libc(e);
    }
    if ((pauses || idles) && !works)
        return HD_LOOP_PAUSES;
    return reads ? HD_LOOP_UNCHANGED : HD_LOOP_NONE;
}

static bool is_alone(const struct hd_thread *t, const struct hd_event *end, uint32_t round)
{
    for (const struct hd_event *e = end - round; e < end; e++)
        if (e->tid != t->tid)
            return false;
    return true;
}

/* Returns the number of events in that many repetitions of the round before end, or 0 if there are fewer
 * repetitions. */
static uint32_t repetitions(const struct hd_event *end, uint32_t round, uint32_t times, uint32_t most)
{
    uint64_t length = (uint64_t)round * (times + 1);

    return length <= most && hd_period_repeats(end, round, (uint32_t)length - round, HD_SAME_OPERATION)
               ? (uint32_t)length : 0;
}

enum hd_loop_kind hd_loop_waits(const struct hd_thread *t, uint32_t *since)
{
    uint32_t n = hd.exec->nevents, most = n - *since, fewest = hd_loop_rounds(HD_LOOP_PAUSES);
    const struct hd_event *end = hd.exec->events + n;

    if (hd.exit_begun || t->in_section)
        return HD_LOOP_NONE;
    for (uint32_t round = 1; round <= HD_ROUND_OF_THREAD && is_alone(t, end, round); round++) {
        if ((uint64_t)round * (fewest + 1) > most)
            return HD_LOOP_NONE;
        if (repetitions(end, round, fewest, most) == 0)
            continue;
        enum hd_loop_kind kind = kind_of(end, round);
        uint32_t length = kind != HD_LOOP_NONE ? repetitions(end, round, hd_loop_rounds(kind), most) : 0;

        if (length == 0)
            return HD_LOOP_NONE;
        *since = n;
        return hd_cycle_is_fair(n - length) ? HD_LOOP_NONE : kind;
    }
    return HD_LOOP_NONE;
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
        waiting = (struct hd_set){ 0 };
        hd_set_add(&waiting, t->tid);
    }
    stopped_event = hd.exec->nevents;
    hd_fact(HD_FACT_LOOP);
    return 1u << (before < HD_LOOP_DOUBLINGS ? before : HD_LOOP_DOUBLINGS);
}

bool hd_loop_counts(const struct hd_thread *by)
{
    return !hd_set_has(&waiting, by->tid);
}
