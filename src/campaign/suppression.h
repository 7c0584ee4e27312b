/* SPDX-License-Identifier: BSD-2-Clause
 *
 * suppression.h - suppressions in a session: reading the files, judging every finding that
 * comes, counting what was suppressed by what. */
#ifndef HD_CAMPAIGN_SUPPRESSION_H
#define HD_CAMPAIGN_SUPPRESSION_H

#include "campaign/session.h"

/* Read the files of --suppressions, and have findings judged if there are any.  False
 * after having said what is wrong with them. */
bool hd_suppression_open(struct hd_session *s);

/* A different finding that is suppressed (hd_finding.judgement): count it. */
void hd_suppression_count(struct hd_session *s, const struct hd_report *r, uint64_t race_key);

/* What the result has to say of it. */
void hd_suppression_result(const struct hd_session *s, struct hd_result *r);

void hd_suppression_close(struct hd_session *s);

#endif
