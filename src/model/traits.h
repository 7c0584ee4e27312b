/* SPDX-License-Identifier: BSD-2-Clause
 *
 * traits.h - the properties of a strategy that other modules need: what it may claim, what its bound counts,
 * how it uses random numbers.
 *
 * A strategy declares them in its own table (search/core/strategy.h). struct hd_config passes them to the
 * runtime and to the reports, so no other module depends on the name of a strategy.
 *
 * Zero is the cautious value of every property: a strategy that declares nothing claims
 * nothing, and the runtime treats it as a reduction. */
#ifndef HD_MODEL_TRAITS_H
#define HD_MODEL_TRAITS_H

#include <stdbool.h>
#include <stdint.h>

/* What a search has explored when it ends by itself.  Each value implies those before it. */
enum hd_coverage {
    HD_COVERS_NOTHING,   /* it may have missed behaviours */
    HD_COVERS_STATES,    /* every final state and deadlock; critical sections that commute are
                          * run in one order only, which may hide data races */
    HD_COVERS_CLASSES,   /* an execution of every equivalence class */
    HD_COVERS_SCHEDULES, /* every schedule: nothing is left out as equivalent */
};

enum hd_drawing {
    HD_DRAWS_NONE,     /* systematic: uses no random numbers */
    HD_DRAWS_DIRECTED, /* earlier executions guide it; ends when nothing is left to try */
    HD_DRAWS_RANDOM,
    HD_DRAWS_ALIKE,    /* independently, with the same distribution in all executions */
};

enum hd_bound_unit { HD_BOUND_NONE, HD_BOUND_PREEMPTIONS, HD_BOUND_DELAYS };

/* Whether the search finishes all smaller bounds before it begins a larger one. */
enum hd_deepening { HD_DEEPENS_NEVER, HD_DEEPENS_UNBOUNDED /* only if the user gives no bound */, HD_DEEPENS_ALWAYS };

struct hd_traits {
    uint8_t coverage; /* enum hd_coverage, up to the bound if it has one */
    uint8_t draws;    /* enum hd_drawing */
    uint8_t bound;    /* enum hd_bound_unit: what --bound counts */
    uint8_t deepens;  /* enum hd_deepening */
    bool counts_classes; /* runs exactly one execution of every equivalence class */
    bool recorded;       /* follows decisions that it is given; not a search */
    bool awaits;         /* it can choose again if a step is taken back (hd_point.again), and its reduction
                          * handles operations of waiting loops (model/awaits.h) */
    bool tries_first;    /* with `awaits`: the search asks the strategy for a decision only after it has found
                          * out, for every thread, whether the pending operation of that thread would
                          * begin another round (search/core/waits.c) */
    bool blocks;         /* its reduction handles steps of several operations (model/point_class.h) */
    bool native;         /* the program runs with native threads, and nothing is controlled */
};

static inline bool hd_traits_samples(const struct hd_traits *t)
{
    return t->draws != HD_DRAWS_NONE;
}

/* True if the search leaves out what it considers equivalent. */
static inline bool hd_traits_reduces(const struct hd_traits *t)
{
    return t->coverage < HD_COVERS_SCHEDULES && !hd_traits_samples(t) && !t->recorded && !t->native;
}

/* True if the search leaves out other orders of critical sections that commute. */
static inline bool hd_traits_is_lazy(const struct hd_traits *t)
{
    return t->coverage == HD_COVERS_STATES;
}

#endif
