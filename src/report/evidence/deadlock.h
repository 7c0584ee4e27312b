/* SPDX-License-Identifier: BSD-2-Clause
 *
 * deadlock.h - a deadlock in words: who waits for whom and for what, who holds it and
 * where it was taken, which signal came too early, who runs on. */
#ifndef HD_REPORT_EVIDENCE_DEADLOCK_H
#define HD_REPORT_EVIDENCE_DEADLOCK_H

#include "report/evidence/describe.h"
#include "report/evidence/list.h"
#include "report/print/text.h"

/* One sentence that says it all, for JSON and lists. */
void hd_deadlock_message(const struct hd_report *r, char *buf, size_t cap);

/* The same for a terminal: a short sentence, and a line for each thread. */
void hd_deadlock_text(const struct hd_text *t, const struct hd_report *r);

/* Why a thread cannot go on, as an edge of the graph of who waits for whom. */
struct hd_wait {
    char what[320];  /* "mutex b", "the end of T2" */
    char reason[400]; /* what follows that in a sentence: ", held by T2 (taken at f.c:7)" */
    hd_tid on;       /* who would have to move first; HD_NO_TID: nobody in particular */
    uint64_t held_pc; /* where that one took it; 0: unknown, or it is no lock */
    bool in_cycle;
};
/* False: it is not blocked. */
bool hd_deadlock_wait(const struct hd_report *r, hd_tid tid, struct hd_wait *w);

/* Does that thread go on, whatever the others wait for? */
bool hd_deadlock_runs_on(const struct hd_report *r, hd_tid tid);

/* The events that took the locks which other threads wait for: their numbers, at most
 * HD_WITNESS_EVENTS. */
unsigned hd_deadlock_events(const struct hd_report *r, uint32_t *events);

/* The threads that cannot get further, and where these locks were taken. */
void hd_deadlock_evidence(struct hd_evidence_list *l, const struct hd_report *r);

/* Is that event one of those? */
bool hd_deadlock_shows(const struct hd_report *r, const struct hd_event *e);

/* The same, or where no lock stands in the way the last signal and the wait that it missed. */
unsigned hd_deadlock_decisive(const struct hd_report *r, uint32_t *events);

/* Is what that thread waits for what the deadlock is about? */
bool hd_deadlock_is_central(const struct hd_report *r, hd_tid tid);

/* Is that lock in somebody's way? */
bool hd_deadlock_blames(const struct hd_report *r, const struct hd_hold *hold);

/* Who waits for what and who holds it, as one JSON object. */
void hd_deadlock_json(FILE *out, const struct hd_report *r);

#endif
