/* SPDX-License-Identifier: BSD-2-Clause
 *
 * missed_probability.h - how likely is it that a search by sampling has missed a bug? */
#ifndef HD_REPORT_VERDICT_MISSED_PROBABILITY_H
#define HD_REPORT_VERDICT_MISSED_PROBABILITY_H

#include "report/verdict/result.h"

/* Does the strategy have a guarantee that could be computed, and does nothing deny it?  A loop
 * that was cut does: a bug behind its later rounds is not met at all. */
bool hd_missed_probability_apply(const struct hd_result *r);

/* The depth of the bugs that it is about. */
unsigned hd_missed_probability_depth(const struct hd_result *r);

/* The probability that a bug of that depth is missed, at most. */
double hd_missed_probability_missed(const struct hd_result *r);

#endif
