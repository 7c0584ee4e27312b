/* SPDX-License-Identifier: BSD-2-Clause
 *
 * loop.c - loops that are not followed to their end.  See loop.h. */
#include "runtime/loop.h"

#include "runtime/cycle.h"

enum { LONGEST_ROUND = 48 }; /* events */

static struct hd_set waiting;  /* W2: who was stopped since somebody else has got on */
static uint32_t stopped_event; /* number of events when the last of them was */

void hd_loop_begin(void)
{
    waiting = (struct hd_set){ { 0 } };
    stopped_event = 0;
}

/* More than can be kept are only counted. */
HD_COLD void hd_loop_cut(uint64_t pc)
{
    struct hd_wire *w = hd.wire;

    hd.exec->loop_cuts++;
    for (uint32_t i = 0; i < w->nloops; i++)
        if (w->loops[i] == pc)
            return;
    if (w->nloops == HD_MAX_LOOPS)
        return;
    w->loops[w->nloops] = pc;
    __atomic_store_n(&w->nloops, w->nloops + 1, __ATOMIC_RELEASE);
}

/* ---- W1 ------------------------------------------------------------------------------ */

/* A plain access may be to a block that is allocated anew in each round. */
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

/* An attempt to use what libc shares fails for other reasons. */
static bool is_pause(const struct hd_event *e)
{
    unsigned traits = hd_kind_traits[e->kind];

    if (e->kind == HD_EV_STATE_READ || e->kind == HD_EV_STATE_WRITE)
        return false;
    return (traits & HD_TRAIT_YIELDS) || ((traits & HD_TRAIT_POLLS) && (e->flags & HD_EVF_FAILED));
}

static bool is_idle(const struct hd_event *end, uint32_t round)
{
    bool idle = true;

    for (const struct hd_event *e = end - round; e < end; e++) {
        if (is_pause(e))
            return true;
        idle &= hd_event_polls(e, hd_kind_traits[e->kind]) && e->obj == (e - round)->obj &&
                e->value == (e - round)->value;
    }
    return idle;
}

/* The number of events of the rounds; 0: it does not go round. */
static uint32_t goes_round(const struct hd_thread *t, uint32_t since)
{
    uint32_t n = hd.exec->nevents, rounds = HD_LOOP_PATIENCE * hd.cfg->loop_bound + 1;
    const struct hd_event *end = hd.exec->events + n;

    for (uint32_t round = 1; round <= LONGEST_ROUND; round++) {
        uint64_t length = (uint64_t)round * rounds;

        if (length > n - since || (end - length)->tid != t->tid)
            return 0;
        if (repeats(end, round, (uint32_t)length) && is_idle(end, round))
            return (uint32_t)length;
    }
    return 0;
}

bool hd_loop_waits(const struct hd_thread *t, uint32_t since)
{
    if (hd.exit_begun || t->in_section)
        return false;
    uint32_t length = goes_round(t, since);

    return length != 0 && !hd_cycle_is_fair(hd.exec->nevents - length);
}

/* ---- W2 ------------------------------------------------------------------------------ */

static bool only_they_ran(void)
{
    for (uint32_t i = stopped_event; i < hd.exec->nevents; i++)
        if (!hd_set_has(&waiting, hd.exec->events[i].tid))
            return false;
    return true;
}

void hd_loop_stopped(const struct hd_thread *t)
{
    hd_set_add(&waiting, t->tid);
    if (!only_they_ran()) {
        waiting = (struct hd_set){ { 0 } };
        hd_set_add(&waiting, t->tid);
    }
    stopped_event = hd.exec->nevents;
    hd_fact(HD_FACT_LOOP);
}

bool hd_loop_counts(const struct hd_thread *by)
{
    return !hd_set_has(&waiting, by->tid);
}
