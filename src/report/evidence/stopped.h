/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stopped.h - the stacks of a thread that fails, and of threads that are blocked or loop. */
#ifndef HD_REPORT_EVIDENCE_STOPPED_H
#define HD_REPORT_EVIDENCE_STOPPED_H

#include "report/evidence/list.h"

/* Writes the failure in the words of the program, if it printed any: an uncaught exception, a failed test.
 * Otherwise the message of the runtime. */
void hd_failure_message(const struct hd_report *r, char *buf, size_t cap);

/* Appends the stack of the failing thread. */
void hd_failing_evidence(struct hd_evidence_list *l, const struct hd_report *r);

/* Appends the stacks of all threads that are blocked or loop.  Threads with the same stack share a
 * heading. */
void hd_stopped_evidence(struct hd_evidence_list *l, const struct hd_report *r);

#endif
