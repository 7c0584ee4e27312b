/* SPDX-License-Identifier: BSD-2-Clause
 *
 * strategies.h - declares every strategy, for the list in strategies.c. */
#ifndef HD_SEARCH_CORE_STRATEGIES_H
#define HD_SEARCH_CORE_STRATEGIES_H

#include "search/core/strategy.h"

extern const struct hd_strategy_ops hd_strategy_mix;
extern const struct hd_strategy_ops hd_strategy_pct;
extern const struct hd_strategy_ops hd_strategy_ppct;
extern const struct hd_strategy_ops hd_strategy_random;
extern const struct hd_strategy_ops hd_strategy_pos;
extern const struct hd_strategy_ops hd_strategy_surw;
extern const struct hd_strategy_ops hd_strategy_maple;
extern const struct hd_strategy_ops hd_strategy_stale;
extern const struct hd_strategy_ops hd_strategy_dpor_optimal;
extern const struct hd_strategy_ops hd_strategy_dpor;
extern const struct hd_strategy_ops hd_strategy_dpor_classic;
extern const struct hd_strategy_ops hd_strategy_dpor_lazy;
extern const struct hd_strategy_ops hd_strategy_bpor_lazy;
extern const struct hd_strategy_ops hd_strategy_bpor;
extern const struct hd_strategy_ops hd_strategy_bpor_source;
extern const struct hd_strategy_ops hd_strategy_bpor_naive;
extern const struct hd_strategy_ops hd_strategy_dfs;
extern const struct hd_strategy_ops hd_strategy_ipb;
extern const struct hd_strategy_ops hd_strategy_idb;
extern const struct hd_strategy_ops hd_strategy_probe;
extern const struct hd_strategy_ops hd_strategy_replay;
extern const struct hd_strategy_ops hd_strategy_follow; /* not for users */

#endif
