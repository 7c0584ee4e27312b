/* SPDX-License-Identifier: BSD-2-Clause
 *
 * odds.h - how likely is it that a search by sampling has missed a bug? */
#ifndef HD_REPORT_ODDS_H
#define HD_REPORT_ODDS_H

#include "report/result.h"

/* Does the strategy have a guarantee that could be computed, and does nothing deny it?  A loop
 * that was cut does: a bug behind its later rounds is not met at all. */
bool hd_odds_apply(const struct hd_result *r);

/* The depth of the bugs that it is about. */
unsigned hd_odds_depth(const struct hd_result *r);

/* The probability that a bug of that depth is missed, at most. */
double hd_odds_missed(const struct hd_result *r);

#endif
