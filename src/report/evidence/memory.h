/* SPDX-License-Identifier: BSD-2-Clause
 *
 * memory.h - the heap block that a finding is about. */
#ifndef HD_REPORT_EVIDENCE_MEMORY_H
#define HD_REPORT_EVIDENCE_MEMORY_H

#include "report/text/text.h"

/* The block of the finding; NULL when it is about none. */
const struct hd_block_info *hd_memory_block(const struct hd_report *r);

/* Who allocated it, who freed it, with their stacks; nothing when there is no block. */
void hd_memory_text(const struct hd_text *t, const struct hd_report *r);

#endif
