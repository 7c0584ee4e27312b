/* SPDX-License-Identifier: BSD-2-Clause
 *
 * minpreempt_cut.h - the cut, for the parts of minpreempt.h: minpreempt.c finds the cheapest path through the
 * cuts, minpreempt_price.c computes the cost of leaving a thread, minpreempt_place.c keeps what earlier queries have
 * computed. */
#ifndef HD_SEARCH_POR_MINPREEMPT_CUT_H
#define HD_SEARCH_POR_MINPREEMPT_CUT_H

#include "search/por/minpreempt.h"

#define HD_CUT_EXTRA UINT32_MAX /* stands for the extra step */
#define HD_CUT_NEVER 2u         /* cost of leaving a thread that must continue directly */

static inline uint32_t hd_cut_steps_of(const struct hd_minpreempt *m, hd_tid t)
{
    return m->count[t];
}

static inline uint32_t hd_cut_step(const struct hd_minpreempt *m, hd_tid t, uint32_t done)
{
    return done == m->known[t] ? HD_CUT_EXTRA : hd_thread_steps_at(&m->steps, t, done);
}

static inline bool hd_cut_yields(const struct hd_minpreempt *m, uint32_t step)
{
    return m->steps.yields(m->steps.ctx, step);
}

static inline const uint32_t *hd_cut_clock(const struct hd_minpreempt *m, uint32_t step)
{
    return step == HD_CUT_EXTRA ? m->extra_clock : hd_trace_clock(m->trace, step);
}

/* Are all steps of other threads that happen before t's step after `done` in the cut? */
static inline bool hd_cut_is_ready(const struct hd_minpreempt *m, const uint32_t *cut, hd_tid t, uint32_t done)
{
    const uint32_t *clock = hd_cut_clock(m, hd_cut_step(m, t, done));

    for (uint32_t i = 0; i < m->q->nthreads; i++)
        if (clock[i] > cut[i] && i != t)
            return false;
    return true;
}

static inline bool hd_cut_is_next(const struct hd_minpreempt *m, const uint32_t *cut, hd_tid t)
{
    return cut[t] != hd_cut_steps_of(m, t) && hd_cut_is_ready(m, cut, t, cut[t]);
}

/* The latest access that conflicts with this one + 1, from access i - 1 back; 0: none. */
static inline uint32_t hd_cut_conflict(struct hd_minpreempt *m, uint32_t i, struct hd_access_of on)
{
    const struct hd_trace_access *access = m->trace->access;

    while (i != 0 && !hd_access_conflict(access[i - 1].access, on.access))
        i = access[i - 1].other;
    m->work++;
    return i;
}

/* The same for the latest access by one of the steps in question. */
static inline uint32_t hd_cut_last_conflict(struct hd_minpreempt *m, struct hd_access_of on)
{
    return hd_cut_conflict(m, hd_chains_before(&m->chains, on.obj, m->q->nsteps), on);
}

/* P7: true if the switch away from the thread after so many steps is one of the certain preemptions. */
bool hd_cut_is_due(const struct hd_minpreempt *m, hd_tid t, uint32_t done);

/* ---- minpreempt_price.c ---- */

/* P1: determines which pending operations count, and the steps after which they come. */
void hd_cut_look_at_pending(struct hd_minpreempt *m);

/* P7: true if the thread is certainly preempted after its last step: a step of another thread comes between that step
 * and the thread's pending operation, which could run at once. */
bool hd_cut_end_is_due(const struct hd_minpreempt *m, hd_tid t);

/* Returns the thread's operation after so many steps; its op is NULL if it does not count. */
struct hd_racer hd_cut_next_operation(const struct hd_minpreempt *m, hd_tid t, uint32_t done);

/* P1: true if a step outside the cut must come before the pending operation of the thread. */
bool hd_cut_must_wait(const struct hd_minpreempt *m, const uint32_t *cut, hd_tid t);

/* Returns the cost of leaving the thread at the cut: 0, 1, or HD_CUT_NEVER if a choice directly follows its step. */
uint32_t hd_cut_price(struct hd_minpreempt *m, const uint32_t *cut, hd_tid t);

/* ---- minpreempt_place.c (P8) ---- */

/* Finds where the query can start: returns the number of steps before the latest place of which enough is known, and
 * sets m->now_at and m->all. */
uint32_t hd_cut_find_start(struct hd_minpreempt *m);

/* Makes the cut of the place after the steps in m->all the one to reach, and prepares m->next.  False if too many
 * threads are loose. */
bool hd_cut_aim(struct hd_minpreempt *m);

/* Adds a cell to m->next; false if there are too many. */
bool hd_cut_add_cell(struct hd_minpreempt *m, const uint32_t *cut, hd_tid last, uint32_t cost);

/* Keeps m->next for the place after so many steps, and goes on from there. */
void hd_cut_keep_place(struct hd_minpreempt *m, uint32_t steps);

#endif
