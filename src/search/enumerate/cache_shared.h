/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cache_shared.h - the table of cache.h for several workers, without a lock.
 *
 * A visit is valid only if its execution counts.  A worker may be killed before that, and its successor repeats
 * the execution, which may then be cut elsewhere because of other workers' entries.  So each entry names the
 * attempt at an execution that changed it last, and is ignored while that attempt runs and if it has failed.
 *
 * Q1  An attempt that is over counts, unless it is in the list of failed attempts.  The worker's next process
 *     adds a failed attempt to the list before it marks it as over.
 * Q2  No worker changes an entry of a running attempt, not even its own: a state does not recur within an
 *     execution.  So an entry never combines visits of two attempts of which one may still fail.
 * Q3  An entry that is being changed has BUSY in its owner, and lookups skip it (for ever,
 *     if its worker is killed meanwhile).  Its key may then be entered a second time.  A
 *     state that is not found is explored again, which is sound. */
#ifndef HD_SEARCH_ENUMERATE_CACHE_SHARED_H
#define HD_SEARCH_ENUMERATE_CACHE_SHARED_H

#include "base/limits.h"
#include "search/core/share.h"
#include "search/enumerate/cache.h"

#define HD_CACHE_FAILED HD_LIMIT(4096, 2)
#define HD_CACHE_PASSES (1u << 16)

struct hd_cache_shared {
    struct hd_cache table;
    uint64_t over[HD_SHARE_WORKERS]; /* number of the worker's attempts that are over; one more may
                                      * be running */
    uint64_t nfailed;                /* if larger than HD_CACHE_FAILED, the table is no longer
                                      * used */
    uint64_t failed[HD_CACHE_FAILED];
};

/* Creates a table of that many megabytes.  The caller holds the lock of the share. */
struct hd_cache_shared *hd_cache_shared_make(struct hd_share *sh, uint64_t megabytes);

/* Ends the worker's current attempt.  It has failed if the same execution is begun again. */
void hd_cache_shared_over(struct hd_cache_shared *c, uint32_t worker, bool failed);

/* Like hd_cache_known, for a pass counted from 0; entries of other passes are out of date.  Does not use index
 * and first of the visit. */
bool hd_cache_shared_known(struct hd_cache_shared *c, uint32_t worker, uint32_t pass,
                           const struct hd_cache_visit *v);

#endif
