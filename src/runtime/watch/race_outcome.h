/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race_outcome.h - what becomes of a race, where racing accesses are scheduling points: was it seen
 * in both orders, and how did the executions end in which it was?  The answer is in the
 * common part (hd_race_row), where the conductor reads it. */
#ifndef HD_RUNTIME_WATCH_RACE_OUTCOME_H
#define HD_RUNTIME_WATCH_RACE_OUTCOME_H

#include "runtime/core/rt.h"

/* An execution begins; the detector has seen a race in it, and no thread has failed yet. */
void hd_race_outcome_begin(void);
void hd_race_outcome_race(const struct hd_race *race);

/* The execution is over, and all that there is to report of it is reported.  Also from
 * another process than the one that ran it. */
void hd_race_outcome_end(void);

#endif
