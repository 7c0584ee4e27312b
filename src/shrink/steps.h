/* SPDX-License-Identifier: BSD-2-Clause
 *
 * steps.h - an execution as a list of operations: each step with its events and, at the
 * end, the pending operations of the threads. */
#ifndef HD_SHRINK_STEPS_H
#define HD_SHRINK_STEPS_H

#include "shrink/cause.h"

struct hd_shrink_op {
    uint16_t slot;
    hd_tid tid;
    uint32_t nth;    /* number of the step within its thread, from 0 */
    uint32_t step;   /* index of its decision; nsteps: it never ran */
    uint32_t event;  /* index of its first event */
    uint32_t nevents; /* 0: none was recorded, because the thread failed in this step */
};

struct hd_shrink_steps {
    const struct hd_failure *of;
    struct hd_shrink_op *op; /* in the order of steps; operations that never ran come last */
    uint32_t nops, nran;
    uint32_t *choice_event; /* by step: the event of its choice; HD_CAUSE_PENDING: none was recorded */
};

void hd_shrink_steps_init(struct hd_shrink_steps *s, const struct hd_failure *f);
void hd_shrink_steps_free(struct hd_shrink_steps *s);

/* True if the operations access the same object so that their order matters.  Then *x and *y are the
 * conflicting events. */
bool hd_shrink_conflict(const struct hd_shrink_steps *s, const struct hd_shrink_op *a,
                        const struct hd_shrink_op *b, struct hd_cause_part *x,
                        struct hd_cause_part *y);

/* Returns the operation as a whole, as a part of a cause. */
struct hd_cause_part hd_shrink_part(const struct hd_shrink_op *a);

#endif
