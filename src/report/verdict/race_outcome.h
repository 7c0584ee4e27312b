/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race_outcome.h - the status of a race at the end of a run.  It depends only on what was observed. */
#ifndef HD_REPORT_VERDICT_RACE_OUTCOME_H
#define HD_REPORT_VERDICT_RACE_OUTCOME_H

#include "report/print/text.h"

enum hd_race_outcome {
    HD_RACE_CANDIDATE, /* seen in one order */
    HD_RACE_CONFIRMED, /* seen in both orders, at the same memory */
    HD_RACE_HARMFUL,   /* an execution in which it occurs fails */
    HD_RACE_EXPLORED,  /* the requested space was explored completely, and no such execution fails */
};

/* Capacity of the text of a predicted race: "x, read at a.c:3 and written at a.c:7". */
#define HD_PREDICTION_TEXT 256

struct hd_result;
struct hd_result_finding;

/* Returns the status of a race.  seen: enum hd_race_seen, as bits. */
enum hd_race_outcome hd_race_outcome_of(const struct hd_result *r, uint32_t seen);

const char *hd_race_outcome_word(enum hd_race_outcome o);

/* Writes the status of a race in words: "candidate: one order was seen". */
void hd_race_outcome_text(const struct hd_result *r, const struct hd_result_finding *f, char *buf, size_t cap);

/* Prints the status of all races, those that were not explored last, and how to learn more about
 * them.  Prints nothing if there are none. */
void hd_race_outcome_summary(const struct hd_text *t, const struct hd_result *r);

#endif
