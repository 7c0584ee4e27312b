/* SPDX-License-Identifier: BSD-2-Clause
 *
 * suppression.h - suppressions in a session: reads the files, matches every finding, counts
 * what was suppressed. */
#ifndef HD_CAMPAIGN_SUPPRESSION_H
#define HD_CAMPAIGN_SUPPRESSION_H

#include "campaign/session.h"

/* Read the files of --suppressions and have findings matched if there are any.  False,
 * after a message, if a file is invalid. */
bool hd_suppression_open(struct hd_session *s);

/* Count a distinct suppressed finding (hd_finding.judgement). */
void hd_suppression_count(struct hd_session *s, const struct hd_report *r, uint64_t race_key);

/* Store the suppressions and their counts in the result. */
void hd_suppression_result(const struct hd_session *s, struct hd_result *r);

void hd_suppression_close(struct hd_session *s);

#endif
