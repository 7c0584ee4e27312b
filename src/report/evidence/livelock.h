/* SPDX-License-Identifier: BSD-2-Clause
 *
 * livelock.h - threads that run for ever and get nowhere, in words. */
#ifndef HD_REPORT_EVIDENCE_LIVELOCK_H
#define HD_REPORT_EVIDENCE_LIVELOCK_H

#include "report/evidence/describe.h"
#include "report/print/text.h"

/* Does the finding know what this thread polls, or that it is in the cycle?  Then
 * hd_livelock_text tells more of it than where it stands. */
bool hd_livelock_explains(const struct hd_report *r, hd_tid tid);

/* Does the finding know that of any thread? */
bool hd_livelock_is_explained(const struct hd_report *r);

/* The events that have last changed what is polled, or else the first ones of the cycle's
 * threads: their numbers, at most HD_WITNESS_EVENTS. */
unsigned hd_livelock_events(const struct hd_report *r, uint32_t *events);

/* What is polled, by thread, how many; and the name of one of them. */
const struct hd_polled *hd_livelock_polled(const struct hd_report *r, uint32_t *n);
void hd_livelock_variable(const struct hd_report *r, const struct hd_polled *p, char *buf, size_t cap);

/* What went wrong: where threads run, what is polled and which thread has written it, the steps
 * that lead back to where they began. */
void hd_livelock_text(const struct hd_text *t, const struct hd_report *r);

#endif
