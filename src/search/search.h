/* SPDX-License-Identifier: BSD-2-Clause
 *
 * search.h - drives one strategy: replays the prefix, checks what it returns,
 * records decisions, counts preemptions, keeps the totals.
 *
 * Private to a process; what must survive it is in the campaign and the
 * strategy's arena. */
#ifndef HD_SEARCH_SEARCH_H
#define HD_SEARCH_SEARCH_H

#include "model/campaign.h"
#include "search/strategy.h"

/* At the start of the arena: what end needs from a worker that died. */
struct hd_search_shared {
    void *strategy;       /* made by the first open */
    uint64_t running;     /* index + 1 of the execution for which begin is complete */
    uint32_t enabled_max; /* most threads enabled at once so far: only grows */
};

struct hd_search {
    const struct hd_strategy_ops *ops;
    void *self;
    struct hd_campaign *campaign;
    struct hd_search_shared *shared;
    uint32_t prefix; /* decisions to replay in this execution */
    struct hd_decision *decisions;
    struct hd_execution *exec;
};

/* False: the strategy does not understand cfg->params.  Over an arena and a
 * campaign that were in use before, the search goes on where it was. */
bool hd_search_open(struct hd_search *s, const struct hd_strategy_ops *ops,
                    const struct hd_strategy_cfg *cfg, struct hd_campaign *campaign,
                    struct hd_execution *exec);

/* Start the next execution, or the one that was cut off: resets the counts of
 * exec that the search keeps or reads.  False when nothing is left to explore. */
bool hd_search_begin(struct hd_search *s);

/* The thread to run, or HD_NO_TID when the replayed prefix does not fit (then
 * exec->diverged_step and _found say where).  Records the decision as exec's at->step'th. */
hd_tid hd_search_pick(struct hd_search *s, const struct hd_point *at);

/* One of n alternatives, or UINT32_MAX on divergence. */
uint32_t hd_search_choose(struct hd_search *s, const struct hd_point *at, uint32_t n);

/* The execution is over: let the strategy learn, commit the totals.  Also from
 * another process than the one that ran it, which may never have called begin. */
void hd_search_end(struct hd_search *s);

#endif
