/* SPDX-License-Identifier: BSD-2-Clause
 *
 * warning.h - a warning in words. */
#ifndef HD_REPORT_EVIDENCE_WARNING_H
#define HD_REPORT_EVIDENCE_WARNING_H

#include "report/evidence/describe.h"
#include "report/print/text.h"

/* One sentence. */
void hd_warning_message(const struct hd_report *r, char *buf, size_t cap);

/* What is to be known beyond the sentence: a few lines, each with its newline, or none. */
void hd_warning_details(FILE *out, const struct hd_report *r);

/* The events whose stacks the details show: their numbers, at most HD_WITNESS_EVENTS. */
unsigned hd_warning_events(const struct hd_report *r, uint32_t *events);

#endif
