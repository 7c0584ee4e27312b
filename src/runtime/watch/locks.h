/* SPDX-License-Identifier: BSD-2-Clause
 *
 * locks.h - checks beyond single operations: locks requested while others are held, and locks and
 * threads that are left behind.
 *
 * A thread keeps one number, the sum of the names of its locks: 0 if it holds none.  Together with
 * the requested lock and the site, it is a key that identifies a request.  So a whole execution is
 * analysed (detect/lockorder.h) only if it made a new request. */
#ifndef HD_RUNTIME_WATCH_LOCKS_H
#define HD_RUNTIME_WATCH_LOCKS_H

#include "base/check.h"
#include "runtime/core/held.h"
#include "runtime/core/object.h"
#include "runtime/core/state.h"

/* Call when the running thread requests the lock while it holds another one. */
void hd_locks_request(const struct hd_obj *wanted, uint64_t pc);
static inline void hd_lock_wanted(const struct hd_obj *wanted, uint64_t pc)
{
    if (HD_UNLIKELY(hd.cur->locks != 0))
        hd_locks_request(wanted, pc);
}

/* Reports lock misuse: at its turn, the running thread unlocks a lock that it does not hold. */
void hd_lock_not_own(const struct hd_obj *o, uint64_t pc);

/* Reports lock misuse: at its turn, the running thread destroys a lock that some thread holds. */
void hd_lock_destroyed_held(const struct hd_obj *o, uint64_t pc);

/* Call when the running thread ends while it holds something. */
void hd_locks_left_behind(struct hd_thread *t);

#endif
