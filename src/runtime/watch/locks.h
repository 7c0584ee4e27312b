/* SPDX-License-Identifier: BSD-2-Clause
 *
 * locks.h - what is looked at beyond the single operation: locks that are taken while
 * others are held, locks and threads that are left behind.
 *
 * A thread keeps one number, the sum of its locks' names: 0 when it holds none, and with
 * the wanted lock and the place a key by which a request is known again.  So an execution
 * is looked at as a whole (detect/lockorder.h) only when it did something new. */
#ifndef HD_RUNTIME_WATCH_LOCKS_H
#define HD_RUNTIME_WATCH_LOCKS_H

#include "runtime/core/held.h"
#include "runtime/core/rt.h"

/* The running thread wants the lock while it holds another one. */
void hd_locks_request(const struct hd_obj *wanted, uint64_t pc);
static inline void hd_lock_wanted(const struct hd_obj *wanted, uint64_t pc)
{
    if (HD_UNLIKELY(hd.cur->locks != 0))
        hd_locks_request(wanted, pc);
}

/* The running thread, at its turn, unlocks a lock that it does not hold: lock misuse. */
void hd_lock_not_own(const struct hd_obj *o, uint64_t pc);

/* The running thread, at its turn, destroys a lock that somebody holds: lock misuse. */
void hd_lock_destroyed_held(const struct hd_obj *o, uint64_t pc);

/* The running thread ends; it still holds something. */
void hd_locks_left_behind(struct hd_thread *t);

/* The execution is over: warnings. */
void hd_locks_look(void);

#endif
