/* SPDX-License-Identifier: BSD-2-Clause
 *
 * restart.h - restarts of a reduced search.  The search begins again from the root when an
 * execution has shown that operations are less independent than the reduction assumed
 * (calls/barrier.c, B4).
 *
 * The new knowledge applies to the whole next pass, so that all executions of a pass are treated in the same way.
 * Several workers begin a pass together, because their shared data belongs to one pass.
 *
 * N1  A zygote without a worker announces that it has left its pass.  When all zygotes have done
 *     so, the first one clears the shared data, and the new pass begins.  Until then no zygote
 *     touches the shared data.  So a zygote that is killed meanwhile can repeat its part.
 * N2  A zygote that ends for good announces that.  It ends only because the search is over, so the
 *     zygotes that wait for it end as well. */
#ifndef HD_RUNTIME_CORE_RESTART_H
#define HD_RUNTIME_CORE_RESTART_H

#include <stdbool.h>
#include <stdint.h>

/* Returns the number of the current pass, from 0. */
uint32_t hd_restart_pass(void);

/* Requests a new pass.  The results of the current pass are void. */
void hd_restart_want(void);

/* Like hd_restart_want, because of a waiting loop (progress/await.h, A3).  Applies to searches
 * without reduction as well. */
void hd_restart_for_wait(void);

/* Returns true if a new pass is to begin.  After too many passes it returns false; the search then
 * ends without a claim. */
bool hd_restart_wanted(void);

/* For the zygote, when a new pass is to begin: returns true if a waiting loop is the only
 * reason. */
bool hd_restart_is_for_wait(void);

/* For the zygote, without a worker: waits until all workers have left the pass.  Returns false if
 * they will not, or the search is over. */
bool hd_restart_together(bool (*is_over)(void));

/* For the zygote: announces that this worker has begun the new pass. */
void hd_restart_begun(void);

/* For the zygote: announces that this worker will not run again (N2). */
void hd_restart_gone(void);

#endif
