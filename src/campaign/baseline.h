/* SPDX-License-Identifier: BSD-2-Clause
 *
 * baseline.h - `--strategy stress` and `--strategy noise`: the program as it runs without
 * Heddle, on native threads, again and again.  They are there to be compared with: nothing is
 * controlled, so nothing can be replayed, and memory and races are not looked at. */
#ifndef HD_CAMPAIGN_BASELINE_H
#define HD_CAMPAIGN_BASELINE_H

#include <stdint.h>

struct hd_session;

/* As hd_session_run. */
int hd_baseline_run(struct hd_session *s, uint64_t budget_ms);

#endif
