/* SPDX-License-Identifier: BSD-2-Clause
 *
 * place.h - the place of an event in the user's own source.  Places are return addresses: the call
 * is before them. */
#ifndef HD_REPORT_EVIDENCE_PLACE_H
#define HD_REPORT_EVIDENCE_PLACE_H

#include "report/evidence/report.h"

/* Returns the innermost place of the event in the user's source.  Returns the exact place if no
 * such place is known, and 0 if that is unknown, too.  For the start of a thread whose function is
 * in a library: the place where the thread was created. e need not be one of the report's events. */
uint64_t hd_report_place(const struct hd_report *r, const struct hd_event *e);

/* Return the place where a held lock was acquired (hd_report_hold_place) or a thread was created
 * (hd_report_creation_place), in the user's source if possible. */
uint64_t hd_report_hold_place(const struct hd_report *r, const struct hd_hold *h);
uint64_t hd_report_creation_place(const struct hd_report *r, hd_tid tid);

/* Returns the place where the thread fails.  If that is in a library, returns the innermost place
 * in the user's source that is on its stack. */
uint64_t hd_report_failure_place(const struct hd_report *r);

/* `out` holds n events.  Appends the events that are in code of a library without source: only a whole stack shows
 * their place in the user's source.  `out` has room for max events.  Returns the new number of events in it. */
unsigned hd_report_lost_events(const struct hd_report *r, uint32_t *out, unsigned n, unsigned max);

/* True if the exact place of some event is not in the user's source: a replay can then find more. */
bool hd_report_lacks_places(const struct hd_report *r);

/* Returns the place of an access of the race in the user's source: if a function of a library makes
 * the access, that of the call which leads there.  For the first access this takes a replay. */
uint64_t hd_report_access_place(const struct hd_report *r, const struct hd_race_access *a);

#endif
