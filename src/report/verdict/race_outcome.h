/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race_outcome.h - what is known of a race at the end of a run: is it more than an order that nobody
 * has guaranteed?  Never more than what was seen. */
#ifndef HD_REPORT_VERDICT_RACE_OUTCOME_H
#define HD_REPORT_VERDICT_RACE_OUTCOME_H

#include "report/print/text.h"

enum hd_race_outcome {
    HD_RACE_CANDIDATE, /* seen in one order */
    HD_RACE_CONFIRMED, /* seen in both orders, at the same memory */
    HD_RACE_HARMFUL,   /* an execution in which it occurs fails */
    HD_RACE_EXPLORED,  /* all of what was asked for was explored, and no such execution fails */
};

/* "x, read at a.c:3 and written at a.c:7" */
#define HD_PREDICTION_TEXT 256

struct hd_result;

/* From what was seen of it, given all else that the result says. */
enum hd_race_outcome hd_race_outcome_of(const struct hd_result *r, uint32_t seen);

const char *hd_race_outcome_word(enum hd_race_outcome fate);

/* What became of all races, the unexplored ones last, and how to learn more of those;
 * nothing where there are none. */
void hd_race_outcome_summary(const struct hd_text *t, const struct hd_result *r);

#endif
