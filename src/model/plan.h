/* SPDX-License-Identifier: BSD-2-Clause
 *
 * plan.h - how somebody outside asks for one execution after the other.
 *
 * A plan is a list of decisions in which threads are named by slot, which means the
 * same in every execution; it need not fit (search/core/follow.c).  Its steps are where the
 * recorded decisions of a replay would be.  Who asks changes the plan only when all that
 * was asked for is answered: the cursor of the search counts the answers. */
#ifndef HD_MODEL_PLAN_H
#define HD_MODEL_PLAN_H

#include <stdint.h>

struct hd_plan {
    uint64_t asked;  /* plans so far, with the one that is ready to be run */
    uint32_t nsteps; /* of that one */
    /* what came of the last one; its decisions and events are the execution's */
    uint32_t ending; /* enum hd_ending */
    uint32_t findings;
};

#endif
