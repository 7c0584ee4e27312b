/* SPDX-License-Identifier: BSD-2-Clause
 *
 * gather.h - all evidence of a finding, whatever its kind. */
#ifndef HD_REPORT_EVIDENCE_GATHER_H
#define HD_REPORT_EVIDENCE_GATHER_H

#include "report/evidence/list.h"

/* To be freed with hd_evidence_free.  Threads that cannot get further are in the order of
 * their numbers. */
void hd_evidence_gather(struct hd_evidence_list *l, const struct hd_report *r);

/* The index of the one that stands for the finding where there is room for one only: the
 * first that is blamed.  The list must not be empty. */
unsigned hd_evidence_main(const struct hd_evidence_list *l);

#endif
