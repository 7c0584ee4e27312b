/* SPDX-License-Identifier: BSD-2-Clause
 *
 * configure.c - derives the configuration of a target from the options of the command line. */
#include "campaign/setup/configure.h"

#include <stdio.h>

#include "campaign/setup/baselines.h"
#include "search/core/strategy.h"

/* Returns the value of a parameter, or 0 if the strategy has no such parameter. */
static uint32_t value_of(const struct hd_param *table, const char *params, const char *key)
{
    return hd_param_exists(table, key) ? (uint32_t)hd_param_value(table, params, key) : 0;
}

void hd_configure_strategy(struct hd_config *c, const char *name, const char *params)
{
    const struct hd_baseline *native = hd_baseline_find(name);
    const struct hd_strategy_ops *ops = hd_strategy_find(name);
    const struct hd_param *table = ops != NULL ? ops->params : NULL;

    c->traits = native != NULL ? native->traits : hd_strategy_traits(name);
    c->by_index = ops != NULL && ops->split == HD_SPLIT_INDEX;
    c->depth = value_of(table, params, "d");
    c->tries = value_of(table, params, "tries");
    snprintf(c->strategy, sizeof c->strategy, "%s", name);
    snprintf(c->params, sizeof c->params, "%s", params);
}

bool hd_configure_offers_all(const char *strategy)
{
    const struct hd_strategy_ops *ops = hd_strategy_find(strategy);

    return ops != NULL && hd_traits_reduces(&ops->traits) && hd_strategy_reducer(strategy) == HD_REDUCE_NONE;
}

void hd_configure(struct hd_config *c, const struct hd_options *o)
{
    hd_configure_strategy(c, o->strategy, o->params);
    c->bound = o->bound;
    c->seed = o->seed;
    c->max_executions = o->executions;
    c->first_index = o->first_index;
    c->past_races = o->past_races;
    c->settings = o->settings;
    /* with --no-points or a filter a step may have several operations, and a waiting loop inside it
     * cannot be rolled back to a decision */
    c->awaits = o->awaits && c->traits.awaits && o->races != HD_RACES_PREDICT && o->no_points == 0 &&
                o->nfilters == 0;
    c->lock_polls = c->awaits && c->traits.bound == HD_BOUND_NONE && c->traits.coverage != HD_COVERS_STATES;
    c->isolation = (uint8_t)o->isolation;
    /* With even odds a sampler would inject all faults near the start of the execution. */
    c->fault_odds = hd_traits_samples(&c->traits) ? 16 : 2;
    c->fault_past_bound = hd_configure_offers_all(c->strategy);
    c->races = (uint8_t)o->races;
    c->keep_going = o->keep_going;
    c->count = (uint8_t)o->count;
    c->retry_sets = o->tm_retry_sets;
    c->show_output = o->show_output;
}
