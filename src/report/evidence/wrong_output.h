/* SPDX-License-Identifier: BSD-2-Clause
 *
 * wrong_output.h - describes output that is not the expected one (--expect, --expect-same). */
#ifndef HD_REPORT_EVIDENCE_WRONG_OUTPUT_H
#define HD_REPORT_EVIDENCE_WRONG_OUTPUT_H

#include "base/json.h"
#include "report/evidence/report.h"
#include "report/print/text.h"

/* The functions of struct hd_kind_report. */
void hd_wrong_output_message(const struct hd_report *r, char *buf, size_t cap);
void hd_wrong_output_text(const struct hd_text *t, const struct hd_report *r);
void hd_wrong_output_json(struct hd_json *j, const struct hd_report *r);

#endif
