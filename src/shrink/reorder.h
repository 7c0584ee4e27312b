/* SPDX-License-Identifier: BSD-2-Clause
 *
 * reorder.h - an equivalent order of an execution's steps in which each thread runs longer at a time.
 *
 * Operations of different threads that do not conflict may be exchanged without changing what the
 * execution does.  A schedule that a sampler has drawn switches threads at almost every step; most of
 * these switches disappear here at once, where removing them one by one would take a run for each. */
#ifndef HD_SHRINK_REORDER_H
#define HD_SHRINK_REORDER_H

#include "shrink/cause.h"

/* Which thread comes next when the running one has to wait for another. */
enum hd_reorder {
    HD_REORDER_LONGEST,  /* the one that can run the most steps */
    HD_REORDER_EARLIEST, /* the one whose next step came first */
    HD_REORDERS,
};

/* More steps than this are not reordered: time and memory grow with the square. */
#define HD_REORDER_MAX 8192

/* Writes the steps in the new order to out[f->nsteps] and returns their number.  The last operation
 * stays the last one.  f needs no pending operations.  0: too many steps, or no events. */
uint32_t hd_reorder(const struct hd_failure *f, enum hd_reorder how, struct hd_decision *out);

#endif
