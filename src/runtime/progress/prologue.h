/* SPDX-License-Identifier: BSD-2-Clause
 *
 * prologue.h - the part of an execution before heddle_start().
 *
 * O1  A program that imports heddle_rt_start has a prologue.  There the runtime chooses the threads: the running
 *     thread continues until it blocks or yields, then the next one in order of creation runs.  The runtime offers
 *     only this thread to the search, so no strategy branches there.
 * O2  hd_execution.fixed is the number of decisions of the prologue.  Reductions do not reverse races with these
 *     steps (search/por/reversal.c).
 * O3  The verdict says that only one order of the prologue was run.  If an execution ends within it, the search makes
 *     no claim.
 * O4  Under fork isolation the runtime keeps the points of the prologue.  So it can report them to the search again
 *     without running the prologue again (worker/late_start.h).
 * O5  In process every execution runs the prologue, and the verdict says so: a restart puts back the target's memory from
 *     before main and empties all tables of the runtime.  At heddle_start() these have contents (threads with their
 *     stacks, clocks, shadow memory, the heap, objects of the detectors), and each would need an image of its own.  A
 *     fork copies them all. */
#ifndef HD_RUNTIME_PROGRESS_PROLOGUE_H
#define HD_RUNTIME_PROGRESS_PROLOGUE_H

#include "model/point.h"

/* Call once, before the first execution. */
void hd_prologue_init(void);
void hd_prologue_begin(void);
/* Replaces hd_search_pick while hd.prologue is set (O1). */
hd_tid hd_prologue_pick(struct hd_point *p);
/* Call when the program calls heddle_start().  Returns true if the prologue ends here. */
bool hd_prologue_leave(void);
/* True if all points of the prologue are kept (O4). */
bool hd_prologue_is_kept(void);
/* Reports all decisions of the prologue to the search, for another execution that has just begun.  Returns false
 * if the search decides differently. */
bool hd_prologue_repeat(void);
/* Call when the execution is over. */
void hd_prologue_end(void);

#endif
