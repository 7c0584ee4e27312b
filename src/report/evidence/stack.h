/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stack.h - call stacks of a finding.  Three sources: a thread that has stopped, a stack that was
 * captured while the thread ran, and a list of return addresses. */
#ifndef HD_REPORT_EVIDENCE_STACK_H
#define HD_REPORT_EVIDENCE_STACK_H

#include "report/evidence/report.h"

/* Store the addresses of the stack, innermost first, and return their number, at most
 * HD_MAX_FRAMES.  All are return addresses except the first of a stack that was unwound from an
 * image; that one is exact and usually inside the runtime.  pc is used if the finding has no image
 * of the stack. */
unsigned hd_stack_pcs(const struct hd_report *r, hd_tid tid, uint64_t pc, uint64_t *pcs);
unsigned hd_stack_captured_pcs(const struct hd_report *r, const struct hd_capture *c, uint64_t *pcs);

/* Store the frames of the target, innermost first, without those of Heddle and of libc's start of
 * threads.  Return their number, at most max. */
unsigned hd_stack_frames(const struct hd_report *r, hd_tid tid, uint64_t pc, struct hd_frame *out,
                         unsigned max);
unsigned hd_stack_captured_frames(const struct hd_report *r, const struct hd_capture *c,
                                  struct hd_frame *out, unsigned max);
unsigned hd_stack_call_frames(const struct hd_report *r, const uint64_t *pc, unsigned n,
                              struct hd_frame *out, unsigned max);

#endif
