/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race_cover.h - is the sequence v of a race covered?  Answered without building v.
 *
 * Most races are covered by earlier executions, and v is nearly the whole execution.  So
 * here v is only a membership rule, and its initials are computed from the trace.  The
 * trace lists the accesses to each object in order, so the steps that block another one are
 * found without visiting the rest.
 *
 * C1  Only for races whose operation has the same effect wherever it comes
 *     (hd_reversal_is_plain): then the operation is the step in the trace, and v consists
 *     of all steps after e that do not happen after e, and the operation.
 * C2  The trace must know all accesses of the steps (hd_trace.nmany), and no step may be an
 *     alternative of a choice.
 * C3  v is closed under happens-before among the steps after e.  So a step of v is an
 *     initial if v contains none of the earlier steps that it conflicts with.  For the
 *     operation, steps that happen after e do not count.
 * C4  A step that has been removed from v was an initial of v at that time.
 * C5  A step q that is not in v and independent of it stays so, whatever follows, if its
 *     later effect is known: the next step of its thread makes the same accesses and
 *     happens after e.  Then everything later in that thread, and every later step that
 *     conflicts with q, happens after e as well; the steps before it are known. */
#ifndef HD_SEARCH_POR_RACE_COVER_H
#define HD_SEARCH_POR_RACE_COVER_H

#include "search/por/beside.h"
#include "search/por/path.h"

struct hd_cover {
    const struct hd_path *path;
    const struct hd_trace *trace;
    uint32_t e, racer;             /* the race: two steps of the trace */
    uint32_t nth;                  /* e's number within its thread */
    hd_tid tid;                    /* e's thread */
    uint32_t steps;                /* number of steps of the trace that may be in v */
    struct hd_beside beside;
    uint32_t *taken;               /* [HD_TRACE_STEPS]: equals stamp if the step was removed from
                                    * v */
    uint32_t stamp;
    uint32_t first[HD_MAX_THREADS];  /* each thread's first step in v, computed on demand;
                                      * HD_NO_STEP */
    uint32_t last[HD_MAX_THREADS];   /* each thread's last step in v, if it has one */
    uint32_t hidden[HD_MAX_THREADS]; /* each thread's first step that happens after e; HD_NO_STEP */
    uint32_t listed[HD_MAX_THREADS]; /* equals stamp if first and hidden are computed */
    /* The steps that the result depends on (decided.h): */
    uint32_t latest;               /* the latest of them */
    bool loose;                    /* the result depends on some steps not being in v */
};

void hd_cover_init(struct hd_cover *c, const struct hd_path *p, struct hd_arena *arena);

/* Start with this race and all of v. */
void hd_cover_start(struct hd_cover *c, uint32_t e, uint32_t racer);

/* Is step s of v an initial of it? */
bool hd_cover_initial(const struct hd_cover *c, uint32_t s);

/* If q is a weak initial of v, its step in v or HD_COVER_BESIDE (not in v); otherwise
 * HD_COVER_NOT. */
#define HD_COVER_BESIDE (UINT32_MAX - 1)
#define HD_COVER_NOT UINT32_MAX
uint32_t hd_cover_find(struct hd_cover *c, const struct hd_step *q);

/* Record that the result depends on the step. */
static inline void hd_cover_depends_on(struct hd_cover *c, uint32_t s)
{
    c->latest = s > c->latest ? s : c->latest;
}

/* Record that the result depends on q, found at `found`, being a weak initial. */
void hd_cover_depends_on_initial(struct hd_cover *c, const struct hd_step *q, uint32_t found);

/* The same, and remove q from v. */
void hd_cover_take(struct hd_cover *c, const struct hd_step *q, uint32_t found);

/* Index after the last step of v other than the operation. */
uint32_t hd_cover_end(struct hd_cover *c);

/* Store the rest of v, with the operation as early as possible.  Returns the number of
 * steps. */
uint32_t hd_cover_rest(struct hd_cover *c, const struct hd_step **v);

#endif
