/* SPDX-License-Identifier: BSD-2-Clause
 *
 * judge.h - suppressions in a session: reading the files, judging every finding that
 * comes, counting what was suppressed by what. */
#ifndef HD_CLI_JUDGE_H
#define HD_CLI_JUDGE_H

#include "cli/session.h"

/* Read the files of --suppressions, and have findings judged if there are any.  False
 * after having said what is wrong with them. */
bool hd_judge_open(struct hd_session *s);

/* A different finding that is suppressed (hd_finding.judgement): count it. */
void hd_judge_count(struct hd_session *s, const struct hd_report *r, uint64_t race_key);

/* What the result has to say of it. */
void hd_judge_result(const struct hd_session *s, struct hd_result *r);

void hd_judge_close(struct hd_session *s);

#endif
