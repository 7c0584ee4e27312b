/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stack.h - call stacks of a finding: of a thread that has stopped, of one that was captured
 * while it ran, of places in the code that each follow a call. */
#ifndef HD_REPORT_EVIDENCE_STACK_H
#define HD_REPORT_EVIDENCE_STACK_H

#include "report/evidence/report.h"

/* Places in the code, innermost first, at most HD_MAX_FRAMES: all but the runtime's follow a
 * call. */
unsigned hd_stack_pcs(const struct hd_report *r, hd_tid tid, uint64_t pc, uint64_t *pcs);
unsigned hd_stack_captured_pcs(const struct hd_report *r, const struct hd_capture *c, uint64_t *pcs);

/* The frames of the target, without those of Heddle and of libc's start of threads. */
unsigned hd_stack_frames(const struct hd_report *r, hd_tid tid, uint64_t pc, struct hd_frame *out,
                         unsigned max);
unsigned hd_stack_captured_frames(const struct hd_report *r, const struct hd_capture *c,
                                  struct hd_frame *out, unsigned max);
unsigned hd_stack_call_frames(const struct hd_report *r, const uint64_t *pc, unsigned n,
                              struct hd_frame *out, unsigned max);

#endif
