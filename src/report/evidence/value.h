/* SPDX-License-Identifier: BSD-2-Clause
 *
 * value.h - texts for values of the target's memory. */
#ifndef HD_REPORT_EVIDENCE_VALUE_H
#define HD_REPORT_EVIDENCE_VALUE_H

#include "report/evidence/report.h"

/* Writes a value of 1 to 8 bytes of the memory at addr, whose canonical name is `name`: "7", "RUNNING", "&queue".
 * Writes "" for bytes that are not a whole value, for example a part of a number. */
void hd_value_text(const struct hd_report *r, hd_cname name, uint64_t addr, uint64_t value, unsigned bytes,
                   char *buf, size_t cap);
/* Like hd_value_text, as the end of an operation: " = 7". */
void hd_describe_value(const struct hd_report *r, hd_cname name, uint64_t addr, uint64_t value, unsigned bytes,
                       char *buf, size_t cap);

#endif
