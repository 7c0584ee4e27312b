/* SPDX-License-Identifier: BSD-2-Clause
 *
 * table.h - the interleaving as a table with one column per thread. */
#ifndef HD_REPORT_TEXT_TABLE_H
#define HD_REPORT_TEXT_TABLE_H

#include "report/evidence/rows.h"
#include "report/print/text.h"

/* Prints the rows that are not hidden. */
void hd_table_print(const struct hd_text *t, const struct hd_rows *rows);

/* Prints the table of a finding alone, without the rest of the report. */
void hd_text_table(const struct hd_text *t, const struct hd_report *r);

#endif
