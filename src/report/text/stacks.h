/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stacks.h - the stacks of a finding in the text report. */
#ifndef HD_REPORT_TEXT_STACKS_H
#define HD_REPORT_TEXT_STACKS_H

#include "report/evidence/list.h"
#include "report/print/text.h"

/* Prints the stacks.  brief: omits stacks of one frame, because the report has already shown their
 * source. */
void hd_text_stacks(const struct hd_text *t, const struct hd_report *r,
                    const struct hd_evidence_list *l, bool brief);

#endif
