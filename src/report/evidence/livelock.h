/* SPDX-License-Identifier: BSD-2-Clause
 *
 * livelock.h - describes a livelock: threads that run for ever without progress. */
#ifndef HD_REPORT_EVIDENCE_LIVELOCK_H
#define HD_REPORT_EVIDENCE_LIVELOCK_H

#include "report/evidence/describe.h"
#include "report/print/text.h"

/* True if the finding records what this thread polls, or that it runs in the cycle.  Then
 * hd_livelock_text prints more about the thread than its position. */
bool hd_livelock_explains(const struct hd_report *r, hd_tid tid);

/* True if the finding records what some thread polls, or a cycle. */
bool hd_livelock_is_explained(const struct hd_report *r);

/* Stores the indices of the events that last changed the polled locations.  If there are none,
 * stores the first writes in the cycle.  Returns their number, at most HD_MAX_DECISIVE. */
unsigned hd_livelock_events(const struct hd_report *r, uint32_t *events);

/* hd_livelock_polled returns the array of polled locations, grouped by thread, and its length in
 * *n; NULL and 0 if the finding has none.  hd_livelock_variable writes the name of one of them. */
const struct hd_polled *hd_livelock_polled(const struct hd_report *r, uint32_t *n);
void hd_livelock_variable(const struct hd_report *r, const struct hd_polled *p, char *buf, size_t cap);

/* Prints what went wrong: where the threads run, what they poll and which thread last wrote it, and
 * the steps of the cycle. */
void hd_livelock_text(const struct hd_text *t, const struct hd_report *r);

#endif
