/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stats.h - statistics for the tables. */
#ifndef HD_STUDY_STATS_H
#define HD_STUDY_STATS_H

#include <stddef.h>
#include <stdint.h>

struct hd_interval {
    double low, high;
};

/* Wilson's 95% interval for a share observed as k of n.  Unlike the usual approximation it
 * is correct near 0 and 1, where most shares of a study lie.  n = 0: 0 to 1. */
struct hd_interval hd_wilson(uint64_t k, uint64_t n);

/* The q-quantile of values in ascending order, interpolated between neighbours ("type 7");
 * INFINITY means "never".  Precondition: n > 0. */
double hd_quantile(const double *sorted, size_t n, double q);

/* Ascending, for qsort. */
int hd_compare_doubles(const void *a, const void *b);

#endif
