/* SPDX-License-Identifier: BSD-2-Clause
 *
 * message.h - the message of a finding: one sentence. */
#ifndef HD_REPORT_EVIDENCE_MESSAGE_H
#define HD_REPORT_EVIDENCE_MESSAGE_H

#include "report/evidence/report.h"

/* Writes one sentence with the names of threads and objects, without control characters. */
void hd_report_message(const struct hd_report *r, char *buf, size_t cap);

#endif
