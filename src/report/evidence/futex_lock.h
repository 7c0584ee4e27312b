/* SPDX-License-Identifier: BSD-2-Clause
 *
 * futex_lock.h - which thread holds a lock that a library makes of a futex (Rust, GLib, own locks).
 *
 * Such a lock is a word that is 0 while the lock is free: a thread that changes it from 0 to another value takes
 * the lock, and a thread that sets it to 0 releases it.  Heddle sees only atomics and a futex, so this file
 * derives the lock from the values of the word.  A word with another purpose may look the same, so reports say "as
 * a lock". */
#ifndef HD_REPORT_EVIDENCE_FUTEX_LOCK_H
#define HD_REPORT_EVIDENCE_FUTEX_LOCK_H

#include "report/evidence/report.h"

/* True if the event changes a word from 0 to something else. */
bool hd_futex_lock_is_taking(const struct hd_event *e);

/* True if both objects are the same word: the word and the queue of its waiters are two objects. */
bool hd_futex_lock_same_word(const struct hd_report *r, uint32_t a, uint32_t b);

/* Returns the event by which a thread took the lock whose release `wait` waits for.  Returns NULL if `wait` is not
 * such a wait, or if the word is free as far as is known. */
const struct hd_event *hd_futex_lock_taken(const struct hd_report *r, const struct hd_event *wait);

/* Stores a cycle of blocked threads, each of which waits for a lock that the next one holds.  Returns their
 * number; 0 if there is none. */
unsigned hd_futex_lock_circle(const struct hd_report *r, hd_tid out[HD_MAX_THREADS]);

/* Stores the events by which the threads of the cycle took their locks, at most max.  Returns their number. */
unsigned hd_futex_lock_events(const struct hd_report *r, uint32_t *events, unsigned max);

#endif
