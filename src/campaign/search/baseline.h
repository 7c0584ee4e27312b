/* SPDX-License-Identifier: BSD-2-Clause
 *
 * baseline.h - `--strategy stress` and `--strategy noise`: run the program repeatedly on native
 * threads, without Heddle's control.  They exist for comparison with the other strategies.  Heddle
 * controls nothing, so it cannot replay a failure, and it does not check memory or races. */
#ifndef HD_CAMPAIGN_SEARCH_BASELINE_H
#define HD_CAMPAIGN_SEARCH_BASELINE_H

#include "campaign/findings/findings.h"

/* Runs native executions until a limit is reached or, without --keep-going, one fails.  Same
 * contract as hd_session_run: returns HD_EXIT_CLEAN if the program ran, otherwise the exit code,
 * after a message.  budget_ms 0: no time limit. */
int hd_baseline_run(struct hd_findings *all, uint64_t budget_ms);

#endif
