/* SPDX-License-Identifier: BSD-2-Clause
 *
 * changes.h - draws the d-1 random steps at which a thread's priority drops, for pct and ppct.
 *
 * Steps are counted from the first point at which two threads are enabled, because before that there is nothing
 * to decide.  The number of steps k is taken to be the largest that an execution has had so far.  A word of the
 * cursor holds it. */
#ifndef HD_SEARCH_SAMPLE_CHANGES_H
#define HD_SEARCH_SAMPLE_CHANGES_H

#include "search/sample/draw.h"

#define HD_MAX_DEPTH 64

struct hd_changes {
    uint32_t depth;
    bool counting;  /* two threads have been enabled at once */
    uint64_t steps; /* number of steps since then */
    uint64_t at[HD_MAX_DEPTH]; /* [i]: the step after which its thread gets priority i; i from 1 */
};

/* Draws the steps among the first k steps; k is 0 if no length is known yet. */
static inline void hd_changes_draw(struct hd_changes *c, struct hd_rng *rng, uint64_t k)
{
    c->counting = false;
    c->steps = 0;
    for (uint32_t i = 1; i < c->depth; i++)
        c->at[i] = 1 + hd_draw_below(rng, k > 0 ? k : 1);
}

/* Counts one more step.  Returns the priority to which its thread falls, or 0 if it keeps its own.  If several
 * changes are due at one step, the last one counts. */
static inline uint32_t hd_changes_step(struct hd_changes *c, const struct hd_point *at)
{
    uint32_t due = 0;

    c->counting = c->counting ||
                  hd_set_next(&at->enabled, hd_set_next(&at->enabled, 0) + 1) < HD_MAX_THREADS;
    if (!c->counting)
        return 0;
    c->steps++;
    for (uint32_t i = 1; i < c->depth; i++)
        if (HD_UNLIKELY(c->at[i] == c->steps))
            due = i;
    return due;
}

static inline void hd_changes_learn(const struct hd_changes *c, const struct hd_execution *done,
                                    uint64_t *k)
{
    if (hd_ended_itself(done) && c->steps > *k)
        *k = c->steps;
}

#endif
