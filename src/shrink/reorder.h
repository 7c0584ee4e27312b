/* SPDX-License-Identifier: BSD-2-Clause
 *
 * reorder.h - finds an equivalent order of an execution's steps in which each thread runs longer before a
 * switch.
 *
 * Operations of different threads that do not conflict may be exchanged without changing what the execution
 * does.  A schedule that a sampling strategy has drawn switches threads at almost every step.  Most of these
 * switches disappear here at once, whereas removing them one by one would need an execution for each. */
#ifndef HD_SHRINK_REORDER_H
#define HD_SHRINK_REORDER_H

#include "shrink/cause.h"

/* Which thread comes next when the running one has to wait for another. */
enum hd_reorder {
    HD_REORDER_LONGEST,  /* the thread that can make the most steps */
    HD_REORDER_EARLIEST, /* the thread whose next step came first */
    HD_REORDERS,
};

/* Maximum number of steps to reorder: time and memory grow with the square of it. */
#define HD_REORDER_MAX 8192

/* Writes the steps in the new order to out[f->nsteps] and returns their number.  The last operation stays the
 * last one.  Does not use f->pending.  Returns 0 if there are too many steps, or no events. */
uint32_t hd_reorder(const struct hd_failure *f, enum hd_reorder how, struct hd_decision *out);

#endif
