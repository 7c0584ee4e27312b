/* SPDX-License-Identifier: BSD-2-Clause
 *
 * gather.h - collects facts about a running session (stats.h). */
#ifndef HD_CAMPAIGN_GATHER_H
#define HD_CAMPAIGN_GATHER_H

#include "campaign/session.h"
#include "status/stats.h"

/* Facts that do not change. */
void hd_gather_begin(struct hd_stats *out, const struct hd_session *s);

/* Current facts after so many seconds, except the current speed and the times of findings,
 * which need history. */
void hd_gather(struct hd_stats *out, const struct hd_session *s, const struct hd_totals *t,
               double seconds);

/* When to stop, derived from all other facts. */
void hd_gather_advice(struct hd_stats *out, const struct hd_session *s, const struct hd_totals *t);

#endif
