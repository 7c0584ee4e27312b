/* SPDX-License-Identifier: BSD-2-Clause
 *
 * object.h - functions of the object table for the gate and for findings, beyond those in rt.h. */
#ifndef HD_RUNTIME_CORE_OBJECT_H
#define HD_RUNTIME_CORE_OBJECT_H

#include "runtime/core/rt.h"

/* Returns the canonical name of an address. */
hd_cname hd_object_name(uintptr_t addr);
/* Returns memory for HD_MAX_THREADS token stamps, valid until the execution ends. */
uint32_t *hd_object_tokens(void);
/* Reports lock misuse: an operation has its turn on an object that was never initialised, or was
 * destroyed.  Does not report a destroyed object that was initialised again without a call. */
void hd_object_is_unusable(struct hd_obj *o);
/* Checks o (may be NULL) at the turn of an operation, not at its announcement: see object.c, O3. */
static inline void hd_object_at_turn(struct hd_obj *o)
{
    if (HD_UNLIKELY(o != NULL && (o->flags & (HD_OF_DESTROYED | HD_OF_GARBAGE))))
        hd_object_is_unusable(o);
}
/* Resets an object without memory of its own, a thread, at its first use in an execution. */
void hd_object_renew(struct hd_obj *o);
/* Called when an execution begins: frees all token stamps. */
void hd_object_begin(void);
/* Forgets the state of all objects in this memory.  Call when the allocator hands it out again. */
void hd_object_forget(uintptr_t addr, size_t size);
/* Records that o is used with this size.  Call when the size grows, or o shares bytes with other
 * objects. */
void hd_object_overlap(struct hd_obj *o, unsigned size);
/* Calls fn for each memory object that shares bytes with o, from this or an earlier execution of
 * the process. */
void hd_object_each_overlap(const struct hd_obj *o, void (*fn)(struct hd_obj *, void *), void *arg);
/* Calls fn for every object that this execution has used. */
void hd_object_each(void (*fn)(struct hd_obj *, void *), void *arg);

/* ---- the rules of model/sync.h, for the running thread at its turn ------------------------- */

/* Returns true if an operation of this kind on o would succeed now. */
static inline bool hd_can(const struct hd_obj *o, enum hd_kind kind)
{
    return hd_sync_run(&o->sync, hd_kind_when(kind), hd.cur->tid, hd.cur->round) == HD_RUN_OK;
}

/* Changes the state of o as an operation of this kind does when it succeeds.  number: see
 * hd_sync_happen. */
static inline void hd_take_effect(struct hd_obj *o, enum hd_kind kind, uint64_t number)
{
    hd_sync_happen(&o->sync, hd_kind_change(kind), hd.cur->tid, false, number);
}

#endif
