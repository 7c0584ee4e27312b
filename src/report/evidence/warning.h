/* SPDX-License-Identifier: BSD-2-Clause
 *
 * warning.h - texts for a warning. */
#ifndef HD_REPORT_EVIDENCE_WARNING_H
#define HD_REPORT_EVIDENCE_WARNING_H

#include "report/evidence/describe.h"
#include "report/print/text.h"

/* Writes the warning as one sentence. */
void hd_warning_message(const struct hd_report *r, char *buf, size_t cap);

/* Prints details that the sentence does not contain, as complete lines.  Prints nothing for
 * warnings without details. */
void hd_warning_details(FILE *out, const struct hd_report *r);

/* Stores the indices of the events whose stacks the details show.  Returns their number, at most
 * HD_DECISIVE_EVENTS. */
unsigned hd_warning_events(const struct hd_report *r, uint32_t *events);

#endif
