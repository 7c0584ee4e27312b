/* SPDX-License-Identifier: BSD-2-Clause
 *
 * accesses.h - the plain accesses that a replay has logged (hd_witness.access), in order.  A report
 * without a replay has none. */
#ifndef HD_REPORT_EVIDENCE_ACCESSES_H
#define HD_REPORT_EVIDENCE_ACCESSES_H

#include "report/evidence/report.h"

uint32_t hd_accesses_count(const struct hd_report *r);
/* Returns the access with that index, from 0. */
const struct hd_plain_access *hd_accesses_at(const struct hd_report *r, uint32_t i);

/* Returns the index of the first access that has at least `position` events before it. */
uint32_t hd_accesses_from(const struct hd_report *r, uint32_t position);

/* Returns the access that the event represents: with --points, accesses are events.  Returns NULL for other
 * events. */
const struct hd_plain_access *hd_accesses_of_event(const struct hd_report *r, const struct hd_event *e);

/* Returns the place of the access, in the user's source if such a place is known. */
uint64_t hd_accesses_place(const struct hd_report *r, const struct hd_plain_access *a);

#endif
