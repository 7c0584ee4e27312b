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

struct hd_search {
    const struct hd_strategy_ops *ops;
    void *self;
    struct hd_campaign *campaign;
    uint32_t prefix;      /* decisions to replay in this execution */
    uint32_t enabled_max; /* in this execution */
    struct hd_decision *decisions;
    struct hd_execution *exec;
};

bool hd_search_open(struct hd_search *s, const struct hd_strategy_ops *ops,
                    const struct hd_strategy_cfg *cfg, struct hd_campaign *campaign,
                    struct hd_execution *exec);

/* Start the next execution; false when nothing is left to explore. */
bool hd_search_begin(struct hd_search *s);

/* The thread to run, or HD_NO_TID when the replayed prefix does not fit (then
 * exec->diverged_step and _found say where).  sig is called for the chosen
 * thread's pending operation. */
hd_tid hd_search_pick(struct hd_search *s, const struct hd_point *at,
                      uint32_t (*sig)(const struct hd_event *pending));

/* One of n alternatives, or UINT32_MAX on divergence. */
uint32_t hd_search_choose(struct hd_search *s, const struct hd_point *at, uint32_t n);

/* The execution is over: let the strategy learn, commit the totals. */
void hd_search_end(struct hd_search *s);

#endif
