/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cut_loops.h - text about loops that were cut.
 *
 * A claim that holds only for a number of rounds of a loop is a bounded claim, like one for a
 * number of preemptions.  It has the same form: first the bound, then the claim. */
#ifndef HD_REPORT_VERDICT_CUT_LOOPS_H
#define HD_REPORT_VERDICT_CUT_LOOPS_H

#include "report/verdict/result.h"

#define HD_CUT_LOOPS_TEXT 512

/* Writes for example "3 idle rounds of the loop at a.c:1, and 12 rounds of the loops at b.c:2 and
 * b.c:7" to buf.  Returns false, with an empty buf, if no loop was cut. */
bool hd_cut_loops_text(const struct hd_result *r, char *buf, size_t cap);

#endif
