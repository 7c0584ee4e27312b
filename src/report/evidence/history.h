/* SPDX-License-Identifier: BSD-2-Clause
 *
 * history.h - describes an execution that no sequential order explains: its operations, its state, the nearest
 * sequential order, and the differences from it. */
#ifndef HD_REPORT_EVIDENCE_HISTORY_H
#define HD_REPORT_EVIDENCE_HISTORY_H

#include "base/json.h"
#include "report/evidence/report.h"
#include "report/print/text.h"

void hd_history_message(const struct hd_report *r, char *buf, size_t cap);
void hd_history_text(const struct hd_text *t, const struct hd_report *r);
void hd_history_json(struct hd_json *j, const struct hd_report *r);

/* For an event that is the call of an operation, writes the operation; for its return, writes the result.  Returns
 * false for other events, or if the record is missing. */
bool hd_history_operation(const struct hd_report *r, const struct hd_event *e, char *buf, size_t cap);

#endif
