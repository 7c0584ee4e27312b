/* SPDX-License-Identifier: BSD-2-Clause
 *
 * decisive.h - the few events of an execution that a reader should look at first.
 *
 * What comparing executions has told (hd_report.why) is shown as it is.  Without it they
 * are guessed from the kind of the finding: who took the locks of a deadlock, who wrote in
 * between.  That is a help for the eye and no claim: the report says "because" of
 * comparisons only. */
#ifndef HD_REPORT_EVIDENCE_DECISIVE_H
#define HD_REPORT_EVIDENCE_DECISIVE_H

#include "report/evidence/describe.h"

struct hd_decisive {
    uint32_t event[HD_WITNESS_EVENTS]; /* indices into the report's events, each once */
    unsigned n;
};

void hd_decisive_find(const struct hd_report *r, struct hd_decisive *d);

bool hd_decisive_has(const struct hd_decisive *d, uint32_t event);

/* Does that thread stand before an access that comes too late for one of them, of the thread
 * that fails? */
bool hd_decisive_is_late(const struct hd_report *r, const struct hd_decisive *d, hd_tid tid);

/* Is running it again worth while to see the stacks of these events? */
bool hd_decisive_can_be_seen(const struct hd_report *r);

/* ---- for the table of kinds (kinds.c): events to look at first ------------------------------ */

/* Accesses of two threads that conflict, or the last ones. */
void hd_decisive_conflict(const struct hd_report *r, struct hd_decisive *d);
void hd_decisive_in_memory(const struct hd_report *r, struct hd_decisive *d);
/* The last use of the object that the failing thread was about to use. */
void hd_decisive_last_use(const struct hd_report *r, struct hd_decisive *d);
void hd_decisive_misuse(const struct hd_report *r, struct hd_decisive *d);
/* Taking the locks that others wait for. */
void hd_decisive_locks(const struct hd_report *r, struct hd_decisive *d);
void hd_decisive_deadlock(const struct hd_report *r, struct hd_decisive *d);
void hd_decisive_livelock(const struct hd_report *r, struct hd_decisive *d);

#endif
