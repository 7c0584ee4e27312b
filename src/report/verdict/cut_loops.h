/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cut_loops.h - loops that were not followed to their end, in words.
 *
 * A claim that holds only for so many rounds of a loop is a bounded one, like one that
 * holds for so many preemptions, and is worded like it: first the bound, then the claim. */
#ifndef HD_REPORT_VERDICT_CUT_LOOPS_H
#define HD_REPORT_VERDICT_CUT_LOOPS_H

#include "report/verdict/result.h"

#define HD_CUT_LOOPS_TEXT 512

/* "3 idle rounds of the loop at a.c:1, and 12 rounds of the loops at b.c:2 and b.c:7" into
 * buf.  False, and "" there, when no loop was cut. */
bool hd_cut_loops_text(const struct hd_result *r, char *buf, size_t cap);

#endif
