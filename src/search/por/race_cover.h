/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race_cover.h - is the sequence v of a race covered?  Asked without making v.
 *
 * Most races of an execution are covered by what was done before, and v is nearly the whole
 * execution: so v is only a rule here which steps are in it, and what comes first in it is
 * asked of the trace.  That knows for each object who touched it, one after the other, so
 * the steps that stand in the way of one are found without looking at the others.
 *
 * C1  It is for races whose operation does the same wherever it comes (hd_reversal_is_plain):
 *     then the operation is the step of the trace, and v is all steps after e that do not
 *     happen after e, and the operation.
 * C2  The trace has to know all that the steps touch (hd_trace.nmany), and no step may be an
 *     alternative of a choice.
 * C3  Of what is in v all is that happens before it and comes after e; so a step of v is an
 *     initial if none of the steps that it conflicts with, and comes after, is in v.  For the
 *     operation those do not count that happen after e.
 * C4  What has left v was an initial of it when it left.
 * C5  A step q beside v is one whatever follows, if it is known what came of it: the next
 *     step of its thread does the same and happens after e.  Then so does all that follows
 *     in this thread, and all that conflicts with q and follows that step; what precedes it
 *     is known. */
#ifndef HD_SEARCH_POR_RACE_COVER_H
#define HD_SEARCH_POR_RACE_COVER_H

#include "search/por/path.h"

struct hd_cover {
    const struct hd_path *path;
    const struct hd_trace *trace;
    uint32_t e, racer;             /* the race: two steps of the trace */
    uint32_t nth;                  /* of e among those ... */
    hd_tid tid;                    /* ... of its thread */
    uint32_t steps;                /* of the trace that have a place in v */
    uint32_t *next;                /* [HD_TRACE_STEPS]: step of v -> its thread's next one */
    uint32_t *taken;               /* [HD_TRACE_STEPS]: stamp of a step that has left v */
    uint32_t stamp;
    uint32_t first[HD_MAX_THREADS];  /* of each thread in v, found when asked for; HD_NO_STEP */
    uint32_t hidden[HD_MAX_THREADS]; /* its first one that happens after e; HD_NO_STEP */
    uint32_t listed[HD_MAX_THREADS]; /* stamp of a thread for which that is known */
    /* What was found out of it rests on (decided.h): */
    uint32_t latest;               /* step */
    bool loose;                    /* that some steps are not in it */
};

void hd_cover_init(struct hd_cover *c, const struct hd_path *p, struct hd_arena *arena);

/* The race in hand; all of v is there. */
void hd_cover_start(struct hd_cover *c, uint32_t e, uint32_t racer);

/* Is step s, in v, an initial of it? */
bool hd_cover_initial(const struct hd_cover *c, uint32_t s);

/* Where q comes in v, if it is a weak initial of it: a step, HD_COVER_BESIDE, or
 * HD_COVER_NOT. */
#define HD_COVER_BESIDE (UINT32_MAX - 1)
#define HD_COVER_NOT UINT32_MAX
uint32_t hd_cover_find(struct hd_cover *c, const struct hd_step *q);

/* What is found out rests on the step. */
static inline void hd_cover_rests_on(struct hd_cover *c, uint32_t s)
{
    c->latest = s > c->latest ? s : c->latest;
}

/* It rests on what makes q, found there, a weak initial. */
void hd_cover_rests_on_initial(struct hd_cover *c, const struct hd_step *q, uint32_t found);

/* So it does, and q leaves v. */
void hd_cover_take(struct hd_cover *c, const struct hd_step *q, uint32_t found);

/* Behind the last step of v other than the operation. */
uint32_t hd_cover_end(const struct hd_cover *c);

/* What is left of v, with the operation as early as it can come.  Returns how many. */
uint32_t hd_cover_rest(const struct hd_cover *c, const struct hd_step **v);

#endif
