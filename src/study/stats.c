/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stats.c - intervals and quantiles. */
#include "study/stats.h"

#include <math.h>

#define Z95 1.959963984540054 /* the normal distribution's 0.975 quantile */

struct hd_interval hd_wilson(uint64_t k, uint64_t n)
{
    if (n == 0)
        return (struct hd_interval){ 0, 1 };
    double share = (double)k / (double)n, z2n = Z95 * Z95 / (double)n;
    double center = (share + z2n / 2) / (1 + z2n);
    double half = Z95 * sqrt(share * (1 - share) / (double)n + z2n / (4 * (double)n)) / (1 + z2n);

    /* for k = 0 and k = n the formula gives 0 and 1, except for rounding errors */
    return (struct hd_interval){ k == 0 ? 0 : center - half, k == n ? 1 : center + half };
}

double hd_quantile(const double *sorted, size_t n, double q)
{
    double at = q * (double)(n - 1);
    size_t below = (size_t)at;

    if (below + 1 >= n)
        return sorted[n - 1];
    double part = at - (double)below;

    if (part == 0 || isinf(sorted[below])) /* avoids 0 * INFINITY and INFINITY - INFINITY */
        return sorted[below];
    return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

int hd_compare_doubles(const void *pa, const void *pb)
{
    double a = *(const double *)pa, b = *(const double *)pb;

    return (a > b) - (a < b);
}
