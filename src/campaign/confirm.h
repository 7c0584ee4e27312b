/* SPDX-License-Identifier: BSD-2-Clause
 *
 * confirm.h - replays a finding in a separate process before it is shown; a finding that
 * does not occur again is marked as such. */
#ifndef HD_CAMPAIGN_CONFIRM_H
#define HD_CAMPAIGN_CONFIRM_H

#include "campaign/session.h"

/* Does the finding, or another one of its kind, occur again? */
enum hd_confirm hd_confirm_run(const struct hd_session *s, const struct hd_schedule *schedule,
                            const struct hd_result_finding *f);

#endif
