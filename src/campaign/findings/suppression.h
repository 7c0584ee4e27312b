/* SPDX-License-Identifier: BSD-2-Clause
 *
 * suppression.h - suppressions in a session: reads the files, matches every finding, counts the
 * suppressed ones. */
#ifndef HD_CAMPAIGN_FINDINGS_SUPPRESSION_H
#define HD_CAMPAIGN_FINDINGS_SUPPRESSION_H

#include "campaign/session/session.h"

struct hd_suppression_state {
    struct hd_session *s;
    struct hd_suppressions suppressions;
    struct hd_covered {
        const struct hd_finding *finding;
        struct hd_suppression *by;
        uint64_t race_key; /* hd_race_key if it is a race that was counted; otherwise 0 */
    } *covered; /* the suppressed records */
    size_t ncovered;
    uint32_t nsuppressed; /* number of distinct suppressed findings */
    struct hd_result_muted *muted; /* those that --mute suppressed */
    size_t nmuted;
    bool races, ended;    /* races: some suppressed finding is a data race; ended: one ended its thread */
};

/* Reads the files of --suppressions and the kinds of --mute.  If there are any, every finding of the session is matched with
 * them.  Returns false, after a message, if a file is invalid. */
bool hd_suppression_open(struct hd_suppression_state *j, struct hd_session *s);

/* Counts a suppressed finding, unless the same race was already counted.  race_key: 0 if it is no
 * race.  Precondition: hd_finding.judgement is HD_SUPPRESSED. */
void hd_suppression_count(struct hd_suppression_state *j, const struct hd_report *r, uint64_t race_key);

/* Stores the suppressions and their counts in the result. */
void hd_suppression_result(const struct hd_suppression_state *j, struct hd_result *r);

void hd_suppression_close(struct hd_suppression_state *j);

#endif
