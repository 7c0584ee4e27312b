/* SPDX-License-Identifier: BSD-2-Clause
 *
 * missed_probability.c - the guarantee of PCT and PPCT: each execution finds a bug of depth d with
 * probability at least 1/(n k^(d-1)), for n threads and k steps.  The theorem covers only the order
 * of threads.  It does not cover choices that are also drawn (heddle_choose, faults), and a bug may
 * need particular ones.  The variant that demotes threads has no guarantee.  In a mix of samplers
 * only the executions that PCT has drawn count.  The others are independent of them and can only
 * lower the probability that a bug is missed. */
#include "report/verdict/missed_probability.h"

#include "report/verdict/claim.h"

static double power(double base, uint64_t n)
{
    double p = 1;

    for (; n > 0; n >>= 1, base *= base)
        if (n & 1)
            p *= base;
    return p;
}

unsigned hd_missed_probability_depth(const struct hd_result *r)
{
    return r->config->depth;
}

bool hd_missed_probability_apply(const struct hd_result *r)
{
    return !hd_claim_is_denied(r) && !hd_claim_is_cut(r) && r->config->depth > 0 && r->totals.by_depth > 0 && r->totals.threads_max > 0 && r->totals.steps_max > 0;
}

double hd_missed_probability_missed(const struct hd_result *r)
{
    double n = (double)r->totals.threads_max, k = (double)r->totals.steps_max;

    return power(1 - 1 / (n * power(k, hd_missed_probability_depth(r) - 1)), r->totals.by_depth);
}
