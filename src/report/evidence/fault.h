/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fault.h - the faults that were injected before a finding, in words. */
#ifndef HD_REPORT_EVIDENCE_FAULT_H
#define HD_REPORT_EVIDENCE_FAULT_H

#include "report/evidence/describe.h"
#include "report/print/text.h"

/* "The 2nd malloc at f.c:10 failed (fault)", a line for each. */
void hd_fault_text(const struct hd_text *t, const struct hd_report *r);

/* The same of fault number i, from 0; false when there are no more. */
bool hd_fault_line(const struct hd_report *r, uint32_t i, char *buf, size_t cap);

#endif
