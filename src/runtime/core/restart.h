/* SPDX-License-Identifier: BSD-2-Clause
 *
 * restart.h - a reduced search begins anew, from the root, when an execution has shown that
 * operations are not as independent as they were taken to be (intercept_barrier.c, B4).
 *
 * What was learnt counts from the next pass on and for all of it, so that all executions
 * of a pass are judged alike.  Several workers begin a pass together: what they share is
 * that of one pass only.
 *
 * N1  A zygote without a worker says that it has let go of its pass.  When all have, the
 *     first one clears what they share, and the pass begins.  Until then nobody touches
 *     it, so that whoever is killed meanwhile can do its part again.
 * N2  A zygote that leaves for good says so.  It does because the search is over, for one
 *     reason or another, so those that wait for it leave as well. */
#ifndef HD_RUNTIME_CORE_RESTART_H
#define HD_RUNTIME_CORE_RESTART_H

#include <stdbool.h>
#include <stdint.h>

/* The pass that runs, from 0. */
uint32_t hd_restart_pass(void);

/* What was explored is void. */
void hd_restart_want(void);

/* Is a new pass to begin?  A program in which that happens again and again is left
 * without a claim instead. */
bool hd_restart_wanted(void);

/* Zygote, without a worker: wait until all workers have let go of the pass.  False: they
 * will not, or the search is over. */
bool hd_restart_together(bool (*is_over)(void));

/* Zygote: the new pass is this worker's. */
void hd_restart_begun(void);

/* Zygote: this worker will not run again. */
void hd_restart_gone(void);

#endif
