/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stacks.h - the stacks of a finding, for people at a terminal. */
#ifndef HD_REPORT_TEXT_STACKS_H
#define HD_REPORT_TEXT_STACKS_H

#include "report/evidence/list.h"
#include "report/print/text.h"

/* brief: all places have been shown with their source, so a stack of one frame is left out. */
void hd_text_stacks(const struct hd_text *t, const struct hd_report *r,
                    const struct hd_evidence_list *l, bool brief);

#endif
