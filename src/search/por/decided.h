/* SPDX-License-Identifier: BSD-2-Clause
 *
 * decided.h - which races of the current execution need no new analysis, because the
 * previous execution had them too.
 *
 * For each race (e, e') of an execution, the wakeup tree must cover the sequence v that reverses it: all steps
 * after e that do not happen after e, followed by e' (reversal.h).  This also holds for a race that the
 * previous execution had, because v contains later steps, which may differ.  Most decisions remain valid,
 * however.  They also depend on the sleep set at e, on the siblings before e and on the tree after e; as long
 * as the path up to e' exists, the first two are fixed and the tree only grows at its ends (W2, T1).  So:
 *
 * Y1  If v is the same, so is the decision.  v is the same if the path is unchanged up to
 *     v's last step (`end`) and all steps after that happen after e.
 * Y2  A race is settled, whatever follows, if the decision depends only on steps before `end`.  That is so in
 *     four cases:
 *     - e' can never come before e (a release and the acquisition that it enables);
 *     - a step that sleeps at e or was explored there is in v and does not conflict with
 *       any earlier step of v.  Later steps of v cannot change that.  The step may be e'
 *       itself: later steps in v are independent of e', since a dependent one would happen
 *       after e' and so after e;
 *     - e' is independent of e after all: then so is all of v;
 *     - the tree covers v: a path in it leads to a leaf, and the part of v before `end` contains both the steps
 *       on this path and the steps that conflict with the siblings left of it.  Nothing is ever added below a
 *       leaf (W3).
 *     In the last three cases the outcome of e' must not depend on v: e' can always run, or it takes the same
 *     lock that e took (hd_reversal.fixed).
 * Y3  If a step that is not in v covers v, or a path in the tree contains such a step, the next step added to v
 *     may invalidate the decision.  Such a decision is valid only under Y1, unless it is known what that step
 *     does later (C5 of race_cover.h).
 * Y4  If race_cover.h made the decision, the leaf is kept too.  Any path to a leaf along v covers v, even if a
 *     later v could take an earlier path.  So the decision does not depend on the steps that rule out other
 *     paths, and when the race is analysed again, this leaf is tried first.  The leaf exists as long as the
 *     path up to e' lives.  Leaves of a tree shared by several workers (D6) are not kept.
 *
 * A race without a valid decision is analysed again, which is always correct (W2).  So entries may be lost.
 * They belong to the trace and are reused as far as the trace is (rule S4).  An execution has at most one entry
 * per race, and none for a race that stays settled as long as e' exists.  With the parameter check=1, races
 * with a valid decision are analysed again and must not add to the tree, and the answers of race_cover.h are
 * compared with the real v.  So tests notice an error in these rules at once, not only by a missing class. */
#ifndef HD_SEARCH_POR_DECIDED_H
#define HD_SEARCH_POR_DECIDED_H

#include "base/limits.h"
#include "search/por/reversal.h"
#include "search/por/wakeup.h"

#define HD_DECIDED_RACES HD_LIMIT(1u << 18, 4)

struct hd_decided_race {
    uint32_t step;
    uint32_t e;
    uint32_t end;  /* the decision depends only on steps before this index (Y2) */
    bool settled;  /* valid whatever follows (Y2) */
    bool plain;    /* race_cover.h made the decision */
    const struct hd_wakeup *leaf; /* the leaf that covers v (Y4), or NULL */
};

struct hd_decided {
    const struct hd_trace *trace;
    struct hd_decided_race *race; /* [HD_DECIDED_RACES], ordered by step */
    uint32_t n;
    uint32_t kept;                /* number of steps shared with the previous execution */
    uint32_t lost;                /* first step whose races are not all stored */
    uint32_t least[HD_MAX_THREADS]; /* for each thread, the minimum of its component in the clocks of all steps
                                     * after the kept ones */
};

void hd_decided_init(struct hd_decided *d, const struct hd_trace *t, struct hd_arena *arena);

/* Begins another execution, whose first `kept` steps are those of the previous one.  Drops the races of the
 * other steps. */
void hd_decided_start(struct hd_decided *d, uint32_t kept);

/* True if the decision is still valid. */
static inline bool hd_decided_holds(const struct hd_decided *d, const struct hd_decided_race *r)
{
    const struct hd_trace_step *e = &d->trace->step[r->e];

    return r->end <= d->kept && (r->settled || d->least[e->tid] >= e->nth);
}

/* Adds the race of a step after the kept ones.  Races must come in the order of their steps. */
void hd_decided_add(struct hd_decided *d, struct hd_decided_race r);
/* Call if the races from step s on cannot be stored: they are then always analysed. */
static inline void hd_decided_lose(struct hd_decided *d, uint32_t s)
{
    d->lost = s < d->lost ? s : d->lost;
}

#endif
