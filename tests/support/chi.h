/* SPDX-License-Identifier: BSD-2-Clause
 *
 * chi.h - tests whether a sample follows a distribution, by Pearson's chi-square; the tests compare it with the
 * 0.9999 quantile of their degrees of freedom. */
#ifndef HD_TESTS_SUPPORT_CHI_H
#define HD_TESTS_SUPPORT_CHI_H

#include <stdint.h>

#define CHI_CELLS 256

/* How often each outcome was seen; outcomes are named by any number. */
struct chi_tally {
    uint64_t name[CHI_CELLS];
    unsigned seen[CHI_CELLS];
    unsigned ncells, total;
};

void chi_count(struct chi_tally *t, uint64_t outcome);

/* How often that outcome was seen. */
unsigned chi_seen(const struct chi_tally *t, uint64_t outcome);

/* Returns one term of the sum: for an outcome of probability p that was seen so often in total. */
double chi_term(unsigned seen, double p, unsigned total);

/* Returns the sum for the uniform distribution over n outcomes. */
double chi_uniform(const struct chi_tally *t, unsigned n);

#endif
