/* SPDX-License-Identifier: BSD-2-Clause
 *
 * confirm.h - a finding is run once more, by its schedule and in a process of its own, before it is
 * shown: what does not come again is said to be that. */
#ifndef HD_CAMPAIGN_CONFIRM_H
#define HD_CAMPAIGN_CONFIRM_H

#include "campaign/session.h"

/* Whether it, or another of its kind, shows again. */
enum hd_confirm hd_confirm_run(const struct hd_session *s, const struct hd_schedule *schedule,
                            const struct hd_result_finding *f);

#endif
