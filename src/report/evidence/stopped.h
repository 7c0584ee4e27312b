/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stopped.h - the stacks of a thread that fails, and of threads that cannot get further. */
#ifndef HD_REPORT_EVIDENCE_STOPPED_H
#define HD_REPORT_EVIDENCE_STOPPED_H

#include "report/evidence/list.h"

/* The thread that fails. */
void hd_failing_evidence(struct hd_evidence_list *l, const struct hd_report *r);

/* All threads that cannot get further; those with the same stack have one heading. */
void hd_stopped_evidence(struct hd_evidence_list *l, const struct hd_report *r);

#endif
