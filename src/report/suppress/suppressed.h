/* SPDX-License-Identifier: BSD-2-Clause
 *
 * suppressed.h - what suppressions have done in a run: used ones with their number of
 * findings, and those that are of no use any more. */
#ifndef HD_REPORT_SUPPRESS_SUPPRESSED_H
#define HD_REPORT_SUPPRESS_SUPPRESSED_H

#include "report/verdict/result.h"

/* A line for each; nothing when no file of suppressions was given. */
void hd_suppressed_text(const struct hd_text *t, const struct hd_result *r);

/* Two members of the object, with a comma before them. */
void hd_suppressed_json(FILE *out, const struct hd_result *r);

#endif
