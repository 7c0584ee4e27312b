/* SPDX-License-Identifier: BSD-2-Clause
 *
 * jobs.c - the number of workers of a search.  -j auto counts the processors that this
 * process may use (taskset, containers with a CPU set), not all processors of the machine. */
#include "campaign/setup/jobs.h"

#include <sched.h>

#include "search/core/strategy.h"

static uint32_t usable_processors(void)
{
    cpu_set_t set;

    /* the call fails on machines with more processors than the set can hold */
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (uint32_t)CPU_COUNT(&set) : HD_MAX_WORKERS;
}

const char *hd_jobs_obstacle(const struct hd_options *o)
{
    const struct hd_strategy_ops *strategy = hd_strategy_find(o->strategy);

    if (strategy == NULL || strategy->split == HD_SPLIT_NONE)
        return "its work cannot be divided";
    if (o->tm_retry_sets)
        return "with --tm-retry-sets one worker has to see all conflicts";
    return NULL;
}

uint32_t hd_jobs(const struct hd_options *o)
{
    uint64_t n = o->jobs != 0 ? o->jobs : usable_processors();

    if (hd_jobs_obstacle(o) != NULL)
        return 1;
    if (o->executions != 0 && n > o->executions)
        n = o->executions;
    return (uint32_t)(n > HD_MAX_WORKERS ? HD_MAX_WORKERS : n < 1 ? 1 : n);
}
