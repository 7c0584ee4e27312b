/* SPDX-License-Identifier: BSD-2-Clause
 *
 * strategies.h - the list of all strategies.  A new one is a file of its own and a line here. */
#ifndef HD_SEARCH_CORE_STRATEGIES_H
#define HD_SEARCH_CORE_STRATEGIES_H

#include "search/core/strategy.h"

/* In the order of `heddle list`; the first one is the default of `run`. */
#define HD_STRATEGIES(X) \
    X(mix) \
    X(pct) \
    X(ppct) \
    X(random) \
    X(pos) \
    X(surw) \
    X(maple) \
    X(stale) \
    X(dpor_optimal) \
    X(dpor) \
    X(dpor_classic) \
    X(dpor_lazy) \
    X(bpor_lazy) \
    X(bpor) \
    X(bpor_source) \
    X(bpor_naive) \
    X(dfs) \
    X(ipb) \
    X(idb) \
    X(probe) \
    X(replay)

#define HD_STRATEGY_EXTERN(id) extern const struct hd_strategy_ops hd_strategy_##id;
HD_STRATEGIES(HD_STRATEGY_EXTERN)

extern const struct hd_strategy_ops hd_strategy_follow; /* users cannot select it */

#endif
