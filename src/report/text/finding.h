/* SPDX-License-Identifier: BSD-2-Clause
 *
 * finding.h - a finding, for people at a terminal. */
#ifndef HD_REPORT_TEXT_FINDING_H
#define HD_REPORT_TEXT_FINDING_H

#include "report/evidence/report.h"
#include "report/print/text.h"

#define HD_TEXT_LINES 40 /* of a finding without its stacks, if that is possible */
#define HD_TEXT_COMMANDS 5 /* of them the ones that follow hd_text_finding */

/* Everything about a finding but how to reproduce it.  program: as typed. */
void hd_text_finding(const struct hd_text *t, const struct hd_report *r, const char *program);

/* The part of it that says what went wrong, in a few lines. */
void hd_text_cause(const struct hd_text *t, const struct hd_report *r);

#endif
