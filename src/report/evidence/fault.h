/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fault.h - texts for the faults that were injected before a finding. */
#ifndef HD_REPORT_EVIDENCE_FAULT_H
#define HD_REPORT_EVIDENCE_FAULT_H

#include "report/evidence/describe.h"
#include "report/print/text.h"

/* Prints one line for each fault: "the 2nd malloc at f.c:10, by T1, failed (fault)". */
void hd_fault_text(const struct hd_text *t, const struct hd_report *r);

/* Writes the text of fault number i, counted from 0.  Returns false if there are fewer faults. */
bool hd_fault_line(const struct hd_report *r, uint32_t i, char *buf, size_t cap);

/* Sets *event to the event in which fault number i took effect.  Returns false if there are fewer. */
bool hd_fault_effect(const struct hd_report *r, uint32_t i, uint32_t *event);

#endif
