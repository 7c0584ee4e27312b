/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cache_shared.h - the table of cache.h for several workers, without a lock.
 *
 * A visit counts when the execution that made it does: its worker may be killed before
 * that and repeat the execution, which others may then cut elsewhere.  So each entry
 * names the attempt at an execution that changed it last, and says nothing as long as
 * that one runs, or when it failed.
 *
 * Q1  An attempt that is over has counted, unless it is among the failed ones.  It is
 *     put there, by its worker's next process, before it is over.
 * Q2  Nobody changes an entry of an attempt that runs, not even its own worker: a state
 *     does not recur within an execution.  So an entry never holds visits of two
 *     attempts of which one may still fail.
 * Q3  An entry that is being changed has BUSY in its owner and is passed over, for good
 *     if its worker is killed meanwhile.  Its key may then be entered once more: what is
 *     not found is explored again, and that is never wrong. */
#ifndef HD_SEARCH_ENUMERATE_CACHE_SHARED_H
#define HD_SEARCH_ENUMERATE_CACHE_SHARED_H

#include "search/core/share.h"
#include "search/enumerate/cache.h"

#define HD_CACHE_FAILED 4096
#define HD_CACHE_PASSES (1u << 16)

struct hd_cache_shared {
    struct hd_cache table;
    uint64_t over[HD_SHARE_WORKERS]; /* attempts of the worker that are over; one may run */
    uint64_t nfailed;                /* more than there is room for: nothing is known any more */
    uint64_t failed[HD_CACHE_FAILED];
};

/* With the lock of the share: make one of that many megabytes. */
struct hd_cache_shared *hd_cache_shared_make(struct hd_share *sh, uint64_t megabytes);

/* The worker's attempt is over; it failed if the same execution is begun again. */
void hd_cache_shared_over(struct hd_cache_shared *c, uint32_t worker, bool failed);

/* As hd_cache_known, in a pass from 0; entries of other passes are out of date.  index and
 * first of the visit are not looked at. */
bool hd_cache_shared_known(struct hd_cache_shared *c, uint32_t worker, uint32_t pass,
                           const struct hd_cache_visit *v);

#endif
