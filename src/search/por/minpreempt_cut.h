/* SPDX-License-Identifier: BSD-2-Clause
 *
 * minpreempt_cut.h - what the three parts of minpreempt.h share: minpreempt.c finds the cheapest way through
 * the cuts, minpreempt_price.c computes the cost of leaving a thread, and minpreempt_place.c keeps results for
 * later queries. */
#ifndef HD_SEARCH_POR_MINPREEMPT_CUT_H
#define HD_SEARCH_POR_MINPREEMPT_CUT_H

#include "search/por/minpreempt.h"

#define HD_CUT_EXTRA UINT32_MAX /* the index of the extra step */
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

/* True if all steps of other threads that must happen before the next step of t, which has made `done` steps,
 * are in the cut. */
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

/* Returns 1 + the latest access that conflicts with this one, from access i - 1 back; 0 if there is none. */
static inline uint32_t hd_cut_conflict(struct hd_minpreempt *m, uint32_t i, struct hd_access_of on)
{
    const struct hd_trace_access *access = m->trace->access;

    while (i != 0 && !hd_access_conflict(access[i - 1].access, on.access))
        i = access[i - 1].other;
    m->work++;
    return i;
}

/* Returns 1 + the latest access that conflicts with this one, by a step that the query is about; 0 if there is
 * none. */
static inline uint32_t hd_cut_last_conflict(struct hd_minpreempt *m, struct hd_access_of on)
{
    return hd_cut_conflict(m, hd_chains_before(&m->chains, on.obj, m->q->nsteps), on);
}

/* Rule P7: true if leaving the thread after `done` steps is one of the certain preemptions. */
bool hd_cut_is_due(const struct hd_minpreempt *m, hd_tid t, uint32_t done);

/* ---- minpreempt_price.c ---- */

/* Rule P1: determines which pending operations count, and which steps must come before them. */
void hd_cut_look_at_pending(struct hd_minpreempt *m);

/* Rule P7: true if the thread is certainly preempted after its last step, because its pending operation could
 * run at once but another thread's step must come in between. */
bool hd_cut_end_is_due(const struct hd_minpreempt *m, hd_tid t);

/* Returns the thread's operation after `done` steps; op is NULL if it does not count. */
struct hd_racer hd_cut_next_operation(const struct hd_minpreempt *m, hd_tid t, uint32_t done);

/* Rule P1: true if a step outside the cut must come before the thread's pending operation. */
bool hd_cut_must_wait(const struct hd_minpreempt *m, const uint32_t *cut, hd_tid t);

/* Returns the cost of leaving the thread at the cut: 0, 1, or HD_CUT_NEVER if a choice directly follows its step. */
uint32_t hd_cut_price(struct hd_minpreempt *m, const uint32_t *cut, hd_tid t);

/* ---- minpreempt_place.c (P8) ---- */

/* Finds the latest place at which the query can start, and sets m->now_at and m->all.  Returns the number of
 * steps before it. */
uint32_t hd_cut_find_start(struct hd_minpreempt *m);

/* Makes the cut of the place after the steps in m->all the goal, and prepares m->next.  Returns false if too
 * many threads are loose. */
bool hd_cut_aim(struct hd_minpreempt *m);

/* Adds a cell to m->next.  Returns false if there are too many. */
bool hd_cut_add_cell(struct hd_minpreempt *m, const uint32_t *cut, hd_tid last, uint32_t cost);

/* Stores m->next for the place after `steps` steps, and continues from there. */
void hd_cut_keep_place(struct hd_minpreempt *m, uint32_t steps);

#endif
