/* SPDX-License-Identifier: BSD-2-Clause
 *
 * decided.h - which races of the last execution need not be looked at again.
 *
 * A wakeup tree has to cover v, all steps of the whole execution that do not happen after
 * e and then e', for the races (e, e') of every execution, also for those that the execution
 * before had: v holds what other threads did later, and what covered it then need not cover
 * it now.  Most decisions hold nevertheless.  What they rest on beside v does not change as
 * long as the path up to e' lives: what sleeps at e and the siblings before e are settled,
 * and behind e the tree only grows, at its ends (W2, T1).  So:
 *
 * Y1  Where v is the same, so is the decision.  v is the same when the path is still the
 *     same up to its last step (`end`), and all steps beyond the path happen after e.
 * Y2  The race is settled whatever follows when it rests only on steps before `end`:
 *     - e' can never come before e (a release and its acquisition);
 *     - a step that sleeps at e or was done there is in v and nothing before it in v is in
 *       conflict with it.  What v holds further on cannot change that.  It may be e' itself:
 *       steps in v that come later than e' are independent of it, since what is not
 *       happens after e', and so after e;
 *     - e' is independent of e after all: so is all of v, or it would happen after e;
 *     - the tree covers v: a way in it leads to a leaf, and the steps on that way, as what
 *       speaks against the siblings that it passes by, are in v and come before `end`.
 *       Nothing is ever added below a leaf (W3).
 *     For the last three, what e' does must not depend on v: it is an access that can always
 *     run, or a lock in the place of a lock (hd_reversal.fixed).
 * Y3  What a step beside v covers, or a way in the tree on which there is one, may end with the
 *     next step that v gets: such decisions hold by Y1 only, where it is not known what came
 *     of that step (C5).
 * Y4  Where cover.h has answered, the leaf is kept, too.  Any way to a leaf that leads along v
 *     covers it, also if a later v could take one that lies before: so such a decision does not
 *     rest on what speaks against that, and when it is due again, this leaf is tried first.  It
 *     is there as long as the path up to e' lives; nodes of several workers (D6) are not kept.
 *
 * A race for which nothing holds is looked at again.  That is always right (W2), so what is
 * kept here is lost without harm: it belongs to the trace, and is used as far as that is
 * (rule S4).  At most one entry per race of one execution: a race that is settled as long as
 * e' is there has none.  With check=1 decisions that hold are made again, and must not add to
 * the tree, and what cover.h says is asked of v itself: so tests see what is wrong here at
 * once, and not when a class is missed. */
#ifndef HD_SEARCH_POR_DECIDED_H
#define HD_SEARCH_POR_DECIDED_H

#include "search/por/reversal.h"
#include "search/por/wakeup.h"

#define HD_DECIDED_RACES (1u << 18)

struct hd_decided_race {
    uint32_t step;
    uint32_t e;
    uint32_t end;  /* the steps that the decision rests on come before this one */
    bool settled;  /* Y2 */
    bool plain;    /* cover.h has answered */
    const struct hd_wakeup *leaf; /* Y4; NULL */
};

struct hd_decided {
    const struct hd_trace *trace;
    struct hd_decided_race *race; /* [HD_DECIDED_RACES]: of one step after the other */
    uint32_t n;
    uint32_t kept;                /* steps that are those of the execution before */
    uint32_t lost;                /* first step whose races are not all here */
    uint32_t least[HD_MAX_THREADS]; /* what every step beyond the kept ones knows of each thread */
};

void hd_decided_init(struct hd_decided *d, const struct hd_trace *t, struct hd_arena *arena);

/* Another execution, of which the first `kept` steps are those of the one before: the races
 * of the others are forgotten. */
void hd_decided_start(struct hd_decided *d, uint32_t kept);

/* Does the decision still hold? */
static inline bool hd_decided_holds(const struct hd_decided *d, const struct hd_decided_race *r)
{
    const struct hd_trace_step *e = &d->trace->step[r->e];

    return r->end <= d->kept && (r->settled || d->least[e->tid] >= e->nth);
}

/* A race of a step beyond those that were kept; they come in the order of steps. */
void hd_decided_add(struct hd_decided *d, struct hd_decided_race r);
/* The races of step s are always to be looked for, those of later steps too. */
static inline void hd_decided_lose(struct hd_decided *d, uint32_t s)
{
    d->lost = s < d->lost ? s : d->lost;
}

#endif
