/* SPDX-License-Identifier: BSD-2-Clause
 *
 * plan.h - requests for single executions from another process.
 *
 * A plan is a list of decisions in which threads are named by slot, which means the same in
 * every execution; it need not be executable as it is (search/core/follow.c).  Its steps
 * are stored in place of the recorded decisions of a replay.  The requesting process
 * changes the plan only when all requests are answered: the cursor of the search counts the
 * answers.
 *
 * A step with the signature HD_PLAN_WAITS waits for its thread: while the thread cannot run, or
 * does not exist yet, others run without preemptions.  From the first such step on, the choices of
 * the plan are used in their order, regardless of the steps between them. */
#ifndef HD_MODEL_PLAN_H
#define HD_MODEL_PLAN_H

#include <stdint.h>

#define HD_PLAN_WAITS 1u

struct hd_plan {
    uint64_t asked;  /* number of plans so far, including the one ready to run */
    uint32_t nsteps; /* length of that one */
    /* result of the last one; its decisions and events are those of the execution */
    uint32_t ending; /* enum hd_ending */
    uint32_t findings;
    uint32_t answers; /* grows after each answer: the requesting process sleeps on it (futex).  The
                       * worker sleeps on the low half of `asked`. */
};

#endif
