/* SPDX-License-Identifier: BSD-2-Clause
 *
 * held.h - the set of locks that a thread holds, as one number: the sum of their signatures, 0 if
 * it holds none. */
#ifndef HD_RUNTIME_CORE_HELD_H
#define HD_RUNTIME_CORE_HELD_H

#include "runtime/core/object.h"
#include "runtime/core/state.h"

/* Adds o to the locks of the running thread.  A lock may be added several times. */
static inline void hd_lock_taken(const struct hd_obj *o)
{
    hd.cur->locks += o->sig;
}

/* Removes o from the locks of t, once. */
static inline void hd_lock_given(struct hd_thread *t, const struct hd_obj *o)
{
    t->locks -= o->sig;
}

#endif
