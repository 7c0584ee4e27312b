/* SPDX-License-Identifier: BSD-2-Clause
 *
 * missed_probability.h - bounds the probability that a sampling search has missed a bug. */
#ifndef HD_REPORT_VERDICT_MISSED_PROBABILITY_H
#define HD_REPORT_VERDICT_MISSED_PROBABILITY_H

#include "report/verdict/result.h"

/* True if the strategy has a guarantee that can be computed, and nothing invalidates it.  A cut
 * loop does: a bug in its later rounds cannot be found at all. */
bool hd_missed_probability_apply(const struct hd_result *r);

/* Returns the depth of the bugs that the guarantee covers. */
unsigned hd_missed_probability_depth(const struct hd_result *r);

/* Returns an upper bound of the probability that the search missed a bug of that depth.
 * Precondition: hd_missed_probability_apply. */
double hd_missed_probability_missed(const struct hd_result *r);

#endif
