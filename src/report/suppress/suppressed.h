/* SPDX-License-Identifier: BSD-2-Clause
 *
 * suppressed.h - reports the use of suppressions in a run: used ones with their number of findings,
 * and unused ones. */
#ifndef HD_REPORT_SUPPRESS_SUPPRESSED_H
#define HD_REPORT_SUPPRESS_SUPPRESSED_H

#include "base/json.h"
#include "report/print/text.h"
#include "report/suppress/suppress.h"

/* Prints one line per suppression.  s may be NULL. */
void hd_suppressed_text(const struct hd_text *t, const struct hd_suppressions *s);

/* Prints two members of the JSON object.  nfindings: number of suppressed
 * findings. */
void hd_suppressed_json(struct hd_json *j, const struct hd_suppressions *s, uint32_t nfindings);

#endif
