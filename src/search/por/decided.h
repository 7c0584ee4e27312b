/* SPDX-License-Identifier: BSD-2-Clause
 *
 * decided.h - which races of the current execution need no new analysis, because the
 * previous execution had them too.
 *
 * For each race (e, e') of every execution the wakeup tree must cover v: all steps of the
 * whole execution that do not happen after e, followed by e'.  This holds also for races
 * that the previous execution had: v contains later steps of other threads, and what
 * covered the old v need not cover the new one.  Most decisions remain valid, however.  The
 * other facts that they depend on do not change while the path up to e' lives: the sleep
 * set at e and the siblings before e are fixed, and after e the tree only grows at its ends
 * (W2, T1).  So:
 *
 * Y1  If v is the same, so is the decision.  v is the same if the path is unchanged up to
 *     v's last step (`end`) and all steps after that happen after e.
 * Y2  The race is settled whatever follows if the decision depends only on steps before
 *     `end`.  There are four cases:
 *     - e' can never come before e (a release and the acquisition that it enables);
 *     - a step that sleeps at e or was explored there is in v and does not conflict with
 *       any earlier step of v.  Later steps of v cannot change that.  The step may be e'
 *       itself: later steps in v are independent of e', since a dependent one would happen
 *       after e' and so after e;
 *     - e' is independent of e after all: then so is all of v;
 *     - the tree covers v: a path in it leads to a leaf, and v contains before `end` both
 *       the steps on this path and the steps that rule out the siblings passed by.  Nothing
 *       is ever added below a leaf (W3).
 *     For the last three cases the outcome of e' must not depend on v: e' can always run,
 *     or it is a lock operation in the place of another one (hd_reversal.fixed).
 * Y3  If a step that is not in v covers v, or a path in the tree contains such a step, the
 *     next step added to v may invalidate the decision.  Such a decision is valid by Y1
 *     only, unless the later effect of that step is known (C5).
 * Y4  If race_cover.h made the decision, the leaf is kept too.  Any path to a leaf along v
 *     covers v, even if a later v could take an earlier path.  So the decision does not
 *     depend on the steps that rule out earlier paths, and when it is due again this leaf
 *     is tried first.  The leaf exists as long as the path up to e' lives.  Leaves of a
 *     tree shared by several workers (D6) are not kept.
 *
 * A race without a valid decision is analysed again.  That is always correct (W2), so
 * entries may be lost: they belong to the trace and are used as far as the trace is reused
 * (rule S4).  There is at most one entry per race of one execution; a race that is settled
 * as long as e' exists has none.  With check=1 valid decisions are repeated and must not
 * add to the tree, and answers of race_cover.h are compared with v itself.  So tests notice
 * an error here at once instead of a missing class later. */
#ifndef HD_SEARCH_POR_DECIDED_H
#define HD_SEARCH_POR_DECIDED_H

#include "base/limits.h"
#include "search/por/reversal.h"
#include "search/por/wakeup.h"

#define HD_DECIDED_RACES HD_LIMIT(1u << 18, 4)

struct hd_decided_race {
    uint32_t step;
    uint32_t e;
    uint32_t end;  /* the decision depends only on steps before this one */
    bool settled;  /* Y2 */
    bool plain;    /* race_cover.h made the decision */
    const struct hd_wakeup *leaf; /* Y4; NULL */
};

struct hd_decided {
    const struct hd_trace *trace;
    struct hd_decided_race *race; /* [HD_DECIDED_RACES], ordered by step */
    uint32_t n;
    uint32_t kept;                /* number of steps shared with the previous execution */
    uint32_t lost;                /* first step whose races are not all stored */
    uint32_t least[HD_MAX_THREADS]; /* for each thread, the minimum over the clocks of all steps
                                     * after the kept ones */
};

void hd_decided_init(struct hd_decided *d, const struct hd_trace *t, struct hd_arena *arena);

/* Begin another execution that shares the first `kept` steps with the previous one; drops
 * the races of the other steps. */
void hd_decided_start(struct hd_decided *d, uint32_t kept);

/* Is the decision still valid? */
static inline bool hd_decided_holds(const struct hd_decided *d, const struct hd_decided_race *r)
{
    const struct hd_trace_step *e = &d->trace->step[r->e];

    return r->end <= d->kept && (r->settled || d->least[e->tid] >= e->nth);
}

/* Add a race of a step after the kept ones.  Races come in the order of steps. */
void hd_decided_add(struct hd_decided *d, struct hd_decided_race r);
/* From step s on, races are always analysed. */
static inline void hd_decided_lose(struct hd_decided *d, uint32_t s)
{
    d->lost = s < d->lost ? s : d->lost;
}

#endif
