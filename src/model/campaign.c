/* SPDX-License-Identifier: BSD-2-Clause
 *
 * campaign.c - the totals of a search with several workers. */
#include "model/campaign.h"

static uint64_t max64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Returns the smaller of two numbers that count from 1; 0 means none. */
static uint64_t first64(uint64_t a, uint64_t b)
{
    return a == 0 || (b != 0 && b < a) ? b : a;
}

/* Counts per bound are those of the current bound, so a worker that has not reached it contributes nothing. */
static void merge_bounds(struct hd_totals *into, const struct hd_totals *one)
{
    if (one->bound > into->bound) {
        into->bound = one->bound;
        into->at_bound = into->buggy_at_bound = 0;
    }
    if (one->bound == into->bound) {
        into->at_bound += one->at_bound;
        into->buggy_at_bound += one->buggy_at_bound;
    }
    if (one->bug_bound_set && (!into->bug_bound_set || one->bug_bound < into->bug_bound)) {
        into->bug_bound = one->bug_bound;
        into->bug_bound_set = 1;
    }
}

/* For a worker that was stopped before it reached the pass of the others: discards everything that it did,
 * except its findings. */
static void discard(struct hd_totals *t)
{
    t->discarded = t->begun;
    t->executions = t->redundant = t->buggy = t->at_bound = t->buggy_at_bound = 0;
    t->by_depth = t->choices = t->loop_cuts = t->grace_cuts = t->too_long = 0;
    t->estimated = t->unmodelled = t->facts = 0;
    t->steps_sum = t->events_sum = 0;
}

void hd_totals_merge(struct hd_totals *into, const struct hd_totals *other)
{
    struct hd_totals copy = *other;
    const struct hd_totals *one = &copy;

    if (into->restarts < one->restarts)
        discard(into);
    if (one->restarts < into->restarts)
        discard(&copy);
    merge_bounds(into, one);
    into->discarded += one->discarded;
    into->restarts = max64(into->restarts, one->restarts);
    into->sites = max64(into->sites, one->sites);
    into->executions += one->executions;
    into->by_depth += one->by_depth;
    into->redundant += one->redundant;
    into->over_bound += one->over_bound;
    into->assumed += one->assumed;
    into->begun += one->begun;
    into->buggy += one->buggy;
    into->first_buggy = first64(into->first_buggy, one->first_buggy);
    into->choices += one->choices;
    into->loop_cuts += one->loop_cuts;
    into->grace_cuts += one->grace_cuts;
    into->too_long += one->too_long;
    into->too_long_steps += one->too_long_steps;
    into->estimated += one->estimated;
    into->unmodelled += one->unmodelled;
    into->facts |= one->facts;
    into->steps_max = max64(into->steps_max, one->steps_max);
    into->steps_sum += one->steps_sum;
    into->events_sum += one->events_sum;
    into->threads_max = max64(into->threads_max, one->threads_max);
    into->enabled_max = max64(into->enabled_max, one->enabled_max);
    into->fallback = max64(into->fallback, one->fallback);
    into->tree_max = max64(into->tree_max, one->tree_max);
    into->trace_hash += one->trace_hash;
    into->explored = into->tree_size = 0; /* a worker knows only its own branches */
    into->exhausted = into->exhausted && one->exhausted;
    into->complete = into->complete && one->complete;
}
