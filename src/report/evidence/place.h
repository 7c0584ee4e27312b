/* SPDX-License-Identifier: BSD-2-Clause
 *
 * place.h - where an event is, for a reader who looks at his own source. */
#ifndef HD_REPORT_EVIDENCE_PLACE_H
#define HD_REPORT_EVIDENCE_PLACE_H

#include "report/evidence/report.h"

/* The innermost place of the event (one of the report's, or any) in source of the user, as far
 * as it is known; else where exactly it is.  Of a thread that starts in a library: where it
 * was created.  It follows a call; 0: unknown. */
uint64_t hd_report_place(const struct hd_report *r, const struct hd_event *e);

/* The same of where a lock was taken that is held, and of where a thread was created. */
uint64_t hd_report_hold_place(const struct hd_report *r, const struct hd_hold *h);
uint64_t hd_report_creation_place(const struct hd_report *r, hd_tid tid);

/* Where the thread fails; when that is in a library, the last place in source of the user. */
uint64_t hd_report_failure_place(const struct hd_report *r);

/* Add to n events in out those whose place only their whole stack tells: in code of a library
 * that has no source.  Returns how many there are then. */
unsigned hd_report_lost_events(const struct hd_report *r, uint32_t *out, unsigned n, unsigned max);

/* Are there events whose own place is not in source of the user, so that a second look would
 * tell more? */
bool hd_report_lacks_places(const struct hd_report *r);

#endif
