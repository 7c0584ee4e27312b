/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race_cover.h - decides whether the sequence v that reverses a race (reversal.h) is covered, without building
 * v.
 *
 * Most races are covered by earlier executions, and v is often nearly the whole execution.  So v is not stored
 * here: a rule tells whether a step belongs to it, and its initials (steps that can come first) are computed
 * from the trace.  The trace lists the accesses to each object in order, so the steps that must come before
 * another one are found without visiting the rest.
 *
 * C1  This works only for races whose operation has the same effect at every position (hd_reversal_is_plain):
 *     then the operation is the step in the trace, and v consists of all steps after e that do not happen after
 *     e, and the operation.
 * C2  The trace must know all accesses of the steps (hd_trace.nmany), and no step may be an
 *     alternative of a choice.
 * C3  v is closed under happens-before among the steps after e.  So a step of v is an
 *     initial if v contains none of the earlier steps that it conflicts with.  For the
 *     operation, steps that happen after e do not count.
 * C4  A step that has been removed from v was an initial of v at that time.
 * C5  A step q that is not in v and independent of all of v remains so, whatever the execution adds, if the
 *     next step of its thread after e makes the same accesses as q and happens after e.  Then every later step
 *     of that thread, and every later step that conflicts with q, happens after e as well, and so is never in
 *     v. */
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
    uint32_t *taken;               /* [HD_TRACE_STEPS]: equals `stamp` if the step was removed from v */
    uint32_t stamp;
    uint32_t first[HD_MAX_THREADS];  /* each thread's first step in v, computed on demand; HD_NO_STEP: none */
    uint32_t last[HD_MAX_THREADS];   /* each thread's last step in v, if it has one */
    uint32_t hidden[HD_MAX_THREADS]; /* each thread's first step that happens after e; HD_NO_STEP: none */
    uint32_t listed[HD_MAX_THREADS]; /* equals `stamp` if first, last and hidden are computed */
    /* What the result depends on (decided.h): */
    uint32_t latest;               /* the latest step that the result depends on */
    bool loose;                    /* the result depends on some steps not being in v */
};

void hd_cover_init(struct hd_cover *c, const struct hd_path *p, struct hd_arena *arena);

/* Begins with this race, and with all steps in v. */
void hd_cover_start(struct hd_cover *c, uint32_t e, uint32_t racer);

/* True if step s of v can come first in v. */
bool hd_cover_initial(const struct hd_cover *c, uint32_t s);

/* Returns the step of v that is q if q can come first in v; HD_COVER_BESIDE if q is not in v but independent of
 * all of v; otherwise HD_COVER_NOT. */
#define HD_COVER_BESIDE (UINT32_MAX - 1)
#define HD_COVER_NOT UINT32_MAX
uint32_t hd_cover_find(struct hd_cover *c, const struct hd_step *q);

/* Records that the result depends on the step. */
static inline void hd_cover_depends_on(struct hd_cover *c, uint32_t s)
{
    c->latest = s > c->latest ? s : c->latest;
}

/* Records the steps on which a result of hd_cover_find depends: `found`, for step q. */
void hd_cover_depends_on_initial(struct hd_cover *c, const struct hd_step *q, uint32_t found);

/* Like hd_cover_depends_on_initial; also removes q from v. */
void hd_cover_take(struct hd_cover *c, const struct hd_step *q, uint32_t found);

/* Returns the index after the last step of v, not counting the operation. */
uint32_t hd_cover_end(struct hd_cover *c);

/* Stores the rest of v, with the operation as early as possible.  Returns the number of steps. */
uint32_t hd_cover_rest(struct hd_cover *c, const struct hd_step **v);

#endif
