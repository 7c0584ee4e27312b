/* SPDX-License-Identifier: BSD-2-Clause
 *
 * gather.h - from a session that runs to facts about it (stats.h). */
#ifndef HD_CAMPAIGN_GATHER_H
#define HD_CAMPAIGN_GATHER_H

#include "campaign/session.h"
#include "status/stats.h"

/* What does not change any more. */
void hd_gather_begin(struct hd_stats *out, const struct hd_session *s);

/* What is so now, after so many seconds; not the speed of the moment, nor when something was
 * found, which take memory. */
void hd_gather(struct hd_stats *out, const struct hd_session *s, const struct hd_totals *t,
               double seconds);

/* When to stop, from all the other facts. */
void hd_gather_advice(struct hd_stats *out, const struct hd_session *s, const struct hd_totals *t);

#endif
