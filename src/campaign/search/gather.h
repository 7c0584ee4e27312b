/* SPDX-License-Identifier: BSD-2-Clause
 *
 * gather.h - collects facts about a running session (stats.h). */
#ifndef HD_CAMPAIGN_SEARCH_GATHER_H
#define HD_CAMPAIGN_SEARCH_GATHER_H

#include "campaign/findings/findings.h"
#include "status/stats.h"

/* Clears *out and sets the command, this process and the limits. */
void hd_gather_command(struct hd_stats *out, const struct hd_options *o, const char *program, const char *test);

/* Like hd_gather_command; also sets all other facts that do not change during the search. */
void hd_gather_begin(struct hd_stats *out, const struct hd_session *s);

/* Sets the current facts, `seconds` after the start.  Does not set the current rate and the times
 * of findings: they need earlier values (live.c). */
void hd_gather(struct hd_stats *out, const struct hd_findings *f, const struct hd_totals *t,
               double seconds);

/* Sets the advice when to stop.  Call it last: it depends on the other facts. */
void hd_gather_advice(struct hd_stats *out, const struct hd_session *s, const struct hd_totals *t);

#endif
