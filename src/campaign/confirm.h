/* SPDX-License-Identifier: BSD-2-Clause
 *
 * confirm.h - replays a finding in a separate process before Heddle shows it.  The report says so
 * if the finding does not occur again. */
#ifndef HD_CAMPAIGN_CONFIRM_H
#define HD_CAMPAIGN_CONFIRM_H

#include "campaign/session.h"

/* Replays the schedule.  Returns HD_CONFIRMED_YES if the finding or another one of its kind occurs
 * again, HD_CONFIRMED_NO if not, HD_CONFIRMED_UNKNOWN if a replay cannot tell. */
enum hd_confirm hd_confirm_run(const struct hd_session *s, const struct hd_schedule *schedule,
                            const struct hd_result_finding *f);

#endif
