/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race_outcome.h - the outcome of a race if racing accesses are scheduling points: whether both
 * orders were seen, and how these executions ended.  The answer is in the common part of the wire
 * (hd_race_row), where the conductor reads it. */
#ifndef HD_RUNTIME_WATCH_RACE_OUTCOME_H
#define HD_RUNTIME_WATCH_RACE_OUTCOME_H

#include "model/race.h"

/* Call when the detector has seen a race and no thread has failed yet. */
void hd_race_outcome_race(const struct hd_race *race);

#endif
