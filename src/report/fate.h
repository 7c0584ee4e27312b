/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fate.h - what is known of a race at the end of a run: is it more than an order that nobody
 * has guaranteed?  Never more than what was seen. */
#ifndef HD_REPORT_FATE_H
#define HD_REPORT_FATE_H

#include "report/text.h"

enum hd_fate {
    HD_FATE_CANDIDATE, /* seen in one order */
    HD_FATE_CONFIRMED, /* seen in both orders, at the same memory */
    HD_FATE_HARMFUL,   /* an execution in which it occurs fails */
    HD_FATE_EXPLORED,  /* all of what was asked for was explored, and no such execution fails */
};

/* "x, read at a.c:3 and written at a.c:7" */
#define HD_PREDICTION_TEXT 256

struct hd_result;

/* From what was seen of it, given all else that the result says. */
enum hd_fate hd_fate_of(const struct hd_result *r, uint32_t seen);

const char *hd_fate_word(enum hd_fate fate);

/* What became of all races, the unexplored ones last, and how to learn more of those;
 * nothing where there are none. */
void hd_fate_summary(const struct hd_text *t, const struct hd_result *r);

#endif
