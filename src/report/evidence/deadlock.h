/* SPDX-License-Identifier: BSD-2-Clause
 *
 * deadlock.h - describes a deadlock: which thread waits for which thread and object, which thread
 * holds the object and where it acquired it, which signal was sent too early, and which threads are
 * not blocked. */
#ifndef HD_REPORT_EVIDENCE_DEADLOCK_H
#define HD_REPORT_EVIDENCE_DEADLOCK_H

#include "base/json.h"
#include "report/evidence/describe.h"
#include "report/evidence/list.h"
#include "report/print/text.h"

/* Writes the whole deadlock into buf as one sentence, for JSON and lists. */
void hd_deadlock_message(const struct hd_report *r, char *buf, size_t cap);

/* Prints the deadlock for a terminal: a short sentence, then one line for each thread. */
void hd_deadlock_text(const struct hd_text *t, const struct hd_report *r);

/* Why a thread is blocked: an edge of the wait-for graph. */
struct hd_wait {
    char what[320];  /* "mutex b", "the end of T2" */
    char reason[400]; /* continues the sentence after `what`: ", held by T2 (taken at f.c:7)" */
    hd_tid on;       /* the thread that must run first, e.g. the holder; HD_NO_TID: no single thread */
    uint64_t held_pc; /* where `on` acquired the lock; 0: unknown, or the thread does not wait for a lock */
    bool in_cycle;
};
/* Fills *w for the thread.  Returns false if the thread has ended or is not blocked. */
bool hd_deadlock_wait(const struct hd_report *r, hd_tid tid, struct hd_wait *w);

/* True if only some threads are deadlocked and this thread is not one of them. */
bool hd_deadlock_runs_on(const struct hd_report *r, hd_tid tid);

/* Stores the indices of the events that acquired the locks for which blocked threads wait.  Returns
 * their number, at most HD_DECISIVE_EVENTS.  Returns 0 if the record does not contain all events. */
unsigned hd_deadlock_events(const struct hd_report *r, uint32_t *events);

/* Appends the stacks of the blocked threads, and those of the acquisitions of the locks for which
 * they wait. */
void hd_deadlock_evidence(struct hd_evidence_list *l, const struct hd_report *r);

/* True if the finding is a deadlock and hd_deadlock_events returns this event. */
bool hd_deadlock_shows(const struct hd_report *r, const struct hd_event *e);

/* Stores the events of hd_deadlock_events.  If there are none, stores for each blocked waiter the
 * last signal and the wait that missed it, or its last earlier semaphore wait.  Returns their
 * number. */
unsigned hd_deadlock_decisive(const struct hd_report *r, uint32_t *events);

/* True if the thread is in the cycle.  Without a cycle: true if the thread does not wait for the
 * end of another thread, or is the only blocked thread. */
bool hd_deadlock_is_central(const struct hd_report *r, hd_tid tid);

/* True if a blocked thread waits for this lock. */
bool hd_deadlock_blames(const struct hd_report *r, const struct hd_hold *hold);

/* Prints as one JSON object what each thread waits for and which locks it holds.  Defined in
 * report/json/deadlock_json.c. */
void hd_deadlock_json(struct hd_json *j, const struct hd_report *r);

#endif
