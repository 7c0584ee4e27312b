/* SPDX-License-Identifier: BSD-2-Clause
 *
 * confirm.h - replays a finding in a separate process before Heddle shows it.  The report says so
 * if the finding does not occur again. */
#ifndef HD_CAMPAIGN_RERUN_CONFIRM_H
#define HD_CAMPAIGN_RERUN_CONFIRM_H

#include "campaign/session/session.h"

/* Replays the schedule.  Returns HD_CONFIRMED_YES if the finding or another one of its kind occurs
 * again, HD_CONFIRMED_NO if not, HD_CONFIRMED_UNKNOWN if a replay cannot tell. */
enum hd_confirm hd_confirm_run(const struct hd_session *s, const struct hd_schedule *schedule,
                            const struct hd_result_finding *f);

/* Returns whether a replay that has run shows that finding: HD_CONFIRMED_YES or HD_CONFIRMED_NO. */
enum hd_confirm hd_confirm_judge(const struct hd_session *replay, uint64_t occurrence, enum hd_finding_kind kind);

#endif
