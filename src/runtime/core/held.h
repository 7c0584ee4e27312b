/* SPDX-License-Identifier: BSD-2-Clause
 *
 * held.h - the locks that a thread holds, as one number: the sum of their names, 0 for none. */
#ifndef HD_RUNTIME_CORE_HELD_H
#define HD_RUNTIME_CORE_HELD_H

#include "runtime/core/rt.h"

/* The running thread holds it (once more). */
static inline void hd_lock_taken(const struct hd_obj *o)
{
    hd.cur->locks += o->sig;
}

/* t holds it (once) less. */
static inline void hd_lock_given(struct hd_thread *t, const struct hd_obj *o)
{
    t->locks -= o->sig;
}

#endif
