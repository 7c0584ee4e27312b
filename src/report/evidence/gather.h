/* SPDX-License-Identifier: BSD-2-Clause
 *
 * gather.h - collects the evidence of a finding of any kind. */
#ifndef HD_REPORT_EVIDENCE_GATHER_H
#define HD_REPORT_EVIDENCE_GATHER_H

#include "report/evidence/list.h"

/* Fills *l; hd_evidence_free frees it.  Threads that are blocked or loop are in the order of their
 * numbers. */
void hd_evidence_gather(struct hd_evidence_list *l, const struct hd_report *r);

/* Returns the index of the stack that represents the finding in a format that shows only one: the
 * first that is blamed.  The list must not be empty. */
unsigned hd_evidence_main(const struct hd_evidence_list *l);

#endif
