/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race_outcome.h - the outcome of a race if racing accesses are scheduling points: whether both
 * orders were seen, and how these executions ended.  The answer is in the common part of the wire
 * (hd_race_row), where the conductor reads it. */
#ifndef HD_RUNTIME_WATCH_RACE_OUTCOME_H
#define HD_RUNTIME_WATCH_RACE_OUTCOME_H

#include "runtime/core/rt.h"

/* An execution begins; the detector has seen a race in it, and no thread has failed yet. */
void hd_race_outcome_begin(void);
void hd_race_outcome_race(const struct hd_race *race);

/* The execution is over and its findings are reported.  May be called in another process than the
 * one that ran it. */
void hd_race_outcome_end(void);

#endif
