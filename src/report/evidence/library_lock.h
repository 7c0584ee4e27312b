/* SPDX-License-Identifier: BSD-2-Clause
 *
 * library_lock.h - recognises locks that a library makes of an atomic word (GLib, Rust), and describes them as locks.
 *
 * Heddle sees the atomic operations inside the library.  If the line of the program that calls the library
 * calls a function whose name ends in "lock", reports name them lock and unlock. */
#ifndef HD_REPORT_EVIDENCE_LIBRARY_LOCK_H
#define HD_REPORT_EVIDENCE_LIBRARY_LOCK_H

#include "report/evidence/describe.h"

enum hd_library_lock {
    HD_LIBRARY_LOCK_NONE,  /* not an operation on such a lock */
    HD_LIBRARY_LOCK_TAKES,
    HD_LIBRARY_LOCK_FINDS, /* finds it held by another thread */
    HD_LIBRARY_LOCK_WAITS, /* sleeps until it is released */
    HD_LIBRARY_LOCK_GIVES,
};

/* Returns what the event, past or pending, does to a lock of a library. */
enum hd_library_lock hd_library_lock(const struct hd_report *r, const struct hd_event *e);

/* Fills verb, object and outcome.  Returns false if the event is not an operation on such a lock. */
bool hd_library_lock_parts(const struct hd_report *r, const struct hd_event *e, bool pending, struct hd_operation *o);

#endif
