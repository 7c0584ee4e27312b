/* SPDX-License-Identifier: BSD-2-Clause
 *
 * decisive.h - the few events of an execution that a reader should look at first.
 *
 * If the execution was compared with others, these are the events of hd_report.why.  Otherwise they
 * are guessed from the kind of the finding: the acquisitions of the locks of a deadlock, or a write
 * between two accesses of another thread.  A guess only guides the reader: the report says
 * "because" only after a comparison. */
#ifndef HD_REPORT_EVIDENCE_DECISIVE_H
#define HD_REPORT_EVIDENCE_DECISIVE_H

#include "report/evidence/describe.h"

struct hd_decisive {
    uint32_t event[HD_DECISIVE_EVENTS]; /* indices into the report's events, without duplicates */
    unsigned n;
};

/* Fills *d with the decisive events: those of a comparison, or guessed ones. */
void hd_decisive_find(const struct hd_report *r, struct hd_decisive *d);

bool hd_decisive_has(const struct hd_decisive *d, uint32_t event);

/* True if the thread is not the failing one and its pending operation is a memory access that
 * conflicts with a decisive access of the failing thread: the pending access came too late to have
 * an effect. */
bool hd_decisive_is_late(const struct hd_report *r, const struct hd_decisive *d, hd_tid tid);

/* True if a replay reaches the events of the finding again, so that it can capture their stacks. */
bool hd_decisive_can_be_seen(const struct hd_report *r);

/* ---- guesses, called through the table of kinds (kinds.c) ---------------------------------- */

/* Each function adds events to *d.  hd_decisive_conflict adds conflicting accesses of two threads,
 * or the last accesses if none conflict.  hd_decisive_in_memory considers accesses to memory only. */
void hd_decisive_conflict(const struct hd_report *r, struct hd_decisive *d);
void hd_decisive_in_memory(const struct hd_report *r, struct hd_decisive *d);
/* Adds the last event on the object that the failing thread was about to use.  hd_decisive_misuse
 * also adds the events of hd_decisive_in_memory. */
void hd_decisive_last_use(const struct hd_report *r, struct hd_decisive *d);
void hd_decisive_misuse(const struct hd_report *r, struct hd_decisive *d);
/* Adds the acquisitions of the locks for which other threads wait.  hd_decisive_deadlock also
 * considers signals and, if there are none, memory. */
void hd_decisive_locks(const struct hd_report *r, struct hd_decisive *d);
void hd_decisive_deadlock(const struct hd_report *r, struct hd_decisive *d);
void hd_decisive_livelock(const struct hd_report *r, struct hd_decisive *d);

#endif
