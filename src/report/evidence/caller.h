/* SPDX-License-Identifier: BSD-2-Clause
 *
 * caller.h - finds the function that calls two decisive operations of one thread, one after the other, for example
 * a check and then an action.  A repair usually belongs there. */
#ifndef HD_REPORT_EVIDENCE_CALLER_H
#define HD_REPORT_EVIDENCE_CALLER_H

#include "report/evidence/report.h"

/* Stores the lines of the caller at the first and the last event of an order in which another thread came in
 * between.  Returns false if there is no such order, if both operations are in one function, or if the stacks are
 * unknown. */
bool hd_caller_find(const struct hd_report *r, struct hd_frame out[2]);

#endif
