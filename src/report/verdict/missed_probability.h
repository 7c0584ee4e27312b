/* SPDX-License-Identifier: BSD-2-Clause
 *
 * missed_probability.h - the probability that a sampling search has missed a bug. */
#ifndef HD_REPORT_VERDICT_MISSED_PROBABILITY_H
#define HD_REPORT_VERDICT_MISSED_PROBABILITY_H

#include "report/verdict/result.h"

/* Does the strategy have a computable guarantee, and does nothing deny it?  A cut loop
 * does, because a bug in its later rounds cannot be found at all. */
bool hd_missed_probability_apply(const struct hd_result *r);

/* The depth of the bugs that the guarantee covers. */
unsigned hd_missed_probability_depth(const struct hd_result *r);

/* Upper bound of the probability that a bug of that depth was missed. */
double hd_missed_probability_missed(const struct hd_result *r);

#endif
