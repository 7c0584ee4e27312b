/* SPDX-License-Identifier: BSD-2-Clause
 *
 * compare.h - compares an exhaustive strategy with brute force: it must run the same schedules, none twice, each at
 * the bound that equals its cost. */
#ifndef HD_TESTS_SUPPORT_COMPARE_H
#define HD_TESTS_SUPPORT_COMPARE_H

#include "support/brute.h"
#include "support/explorer.h"

enum compare_cost { COMPARE_NO_COST, COMPARE_PREEMPTIONS, COMPARE_DELAYS };

/* Returns the number of schedules that were compared; 0 if there are too many. */
unsigned compare_with_brute(const struct program *p, const char *spec, enum compare_cost cost,
                            const char *what);

/* Compares for n random programs made from the seed. */
void compare_random_programs(unsigned n, uint64_t seed, const char *spec, enum compare_cost cost);

/* Counts the executions, and those with a bug, of a search up to the bound. */
struct explored {
    uint64_t executions, buggy, complete, first_buggy, at_bound, buggy_at_bound;
    int64_t bound;
};
struct explored explore_program(const struct program *p, const char *spec, int64_t bound);

#endif
