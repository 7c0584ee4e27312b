/* SPDX-License-Identifier: BSD-2-Clause
 *
 * finding.h - the text report of a finding. */
#ifndef HD_REPORT_TEXT_FINDING_H
#define HD_REPORT_TEXT_FINDING_H

#include "report/evidence/report.h"
#include "report/print/text.h"

#define HD_TEXT_LINES 40 /* target length of a finding up to its source: the first screen */

/* Prints everything about a finding except how to reproduce it.  program: as the user typed it. */
void hd_text_finding(const struct hd_text *t, const struct hd_report *r, const char *program);

/* Prints what went wrong, in a few lines. */
void hd_text_cause(const struct hd_text *t, const struct hd_report *r);

#endif
