/* SPDX-License-Identifier: BSD-2-Clause
 *
 * suppression.h - suppressions in a session: reads the files, matches every finding, counts the
 * suppressed ones. */
#ifndef HD_CAMPAIGN_SUPPRESSION_H
#define HD_CAMPAIGN_SUPPRESSION_H

#include "campaign/session.h"

/* Reads the files of --suppressions.  If there are any, every finding is matched with them.
 * Returns false, after a message, if a file is invalid. */
bool hd_suppression_open(struct hd_session *s);

/* Counts a suppressed finding, unless the same race was already counted.  race_key: 0 if it is no
 * race.  Precondition: hd_finding.judgement is HD_SUPPRESSED. */
void hd_suppression_count(struct hd_session *s, const struct hd_report *r, uint64_t race_key);

/* Stores the suppressions and their counts in the result. */
void hd_suppression_result(const struct hd_session *s, struct hd_result *r);

void hd_suppression_close(struct hd_session *s);

#endif
