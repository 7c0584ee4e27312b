/* SPDX-License-Identifier: BSD-2-Clause
 *
 * campaign.h - the progress of a search: the totals and the strategy's cursor, in a record that exists twice.
 * At the end of an execution the worker fills the unused record and then makes it the valid one with a single
 * store.  So a worker that is killed at any instruction leaves a consistent campaign. */
#ifndef HD_MODEL_CAMPAIGN_H
#define HD_MODEL_CAMPAIGN_H

#include <stdbool.h>
#include <stdint.h>

/* The state that a strategy keeps between executions.  All zero before the first one. */
struct hd_cursor {
    uint64_t w[16];
};

/* Why lazy reduction was given up (search/por/lazy.c). */
enum hd_fallback {
    HD_FALLBACK_NONE,
    HD_FALLBACK_BLOCKS, /* a thread made an operation that may block while it held a mutex */
    HD_FALLBACK_HELD,   /* a mutex was held at the end, or released by a thread that did not hold
                         * it */
};

struct hd_totals {
    struct hd_cursor cursor;
    uint64_t executions;     /* complete and counted */
    uint64_t by_depth;       /* executions drawn by pct or ppct, for which a guarantee holds */
    uint64_t redundant;      /* begun but not counted */
    uint64_t over_bound;     /* redundant executions that were cut because of the bound, not because they repeat
                              * others */
    uint64_t assumed;        /* excluded by heddle_assume */
    uint64_t discarded;      /* executions of earlier passes, which had fewer racing sites as
                              * scheduling points */
    uint64_t restarts;       /* number of earlier passes */
    uint64_t sites;          /* racing sites that are scheduling points in this pass */
    uint64_t begun;          /* executions + redundant + assumed + discarded: index of the next one */
    uint64_t buggy;          /* counted executions with a finding */
    uint64_t first_buggy;    /* number (from 1) of the first such execution; 0: none */
    uint64_t at_bound;       /* counted executions at the current bound (called "new" in the study) */
    uint64_t buggy_at_bound;
    uint64_t bug_bound_set;  /* 1 when bug_bound is valid */
    int64_t bug_bound;       /* bound at which the first bug was found */
    int64_t bound;           /* current bound; -1: none */
    uint64_t choices;        /* number of choices in all executions: calls of heddle_choose, and faults that
                              * were offered */
    uint64_t loop_cuts;
    uint64_t grace_cuts;
    uint64_t too_long;
    uint64_t too_long_steps; /* part of steps_sum in executions that were too long */
    uint64_t estimated;      /* executions (including redundant ones) with hd_outcome.estimated */
    uint64_t unmodelled;
    uint64_t facts;          /* enum hd_fact, of all executions */
    uint64_t steps_max;
    uint64_t steps_sum;
    uint64_t events_sum;
    uint64_t threads_max;
    uint64_t enabled_max;
    uint64_t fallback;       /* enum hd_fallback */
    uint64_t tree_max;       /* largest number of wakeup-tree nodes at once; 0: no tree */
    uint64_t trace_hash;     /* combines the trace hashes of all executions, independent of their
                              * order */
    double explored;         /* estimated part of the tree that has been explored (at this bound); 0: unknown */
    double tree_size;        /* estimated number of executions in the tree, by another method */
    uint64_t exhausted;
    uint64_t complete;
};

struct hd_campaign {
    struct hd_totals totals[2];
    uint32_t current; /* the lowest bit selects the valid record */
};

/* Adds the totals of another worker of the same search.  The cursor, which belongs to one worker, does not
 * change; first_buggy becomes the smaller one. */
void hd_totals_merge(struct hd_totals *into, const struct hd_totals *other);

/* If no execution has had anything to decide, all executions are the same, whatever a strategy draws.  A
 * sampling search can stop after this many. */
#define HD_SAME_ENOUGH 100
static inline bool hd_totals_undecided(const struct hd_totals *t)
{
    return t->begun >= HD_SAME_ENOUGH && t->threads_max == 1 && t->enabled_max <= 1 &&
           t->choices == 0;
}

static inline const struct hd_totals *hd_campaign_totals(const struct hd_campaign *c)
{
    return &c->totals[__atomic_load_n(&c->current, __ATOMIC_ACQUIRE) & 1];
}

#endif
