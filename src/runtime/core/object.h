/* SPDX-License-Identifier: BSD-2-Clause
 *
 * object.h - what gate and findings need of the object table beyond rt.h. */
#ifndef HD_RUNTIME_CORE_OBJECT_H
#define HD_RUNTIME_CORE_OBJECT_H

#include "runtime/core/rt.h"

/* The canonical name of an address. */
hd_cname hd_object_name(uintptr_t addr);
/* Room for HD_MAX_THREADS token stamps, valid until the execution ends. */
uint32_t *hd_object_tokens(void);
/* An operation has its turn on an object that was never initialised, or destroyed (unless
 * it was made anew without a call): lock misuse. */
void hd_object_is_unusable(struct hd_obj *o);
/* At the turn of an operation on o (NULL: none), not when it is announced: O3 of object.c. */
static inline void hd_object_at_turn(struct hd_obj *o)
{
    if (HD_UNLIKELY(o != NULL && (o->flags & (HD_OF_DESTROYED | HD_OF_GARBAGE))))
        hd_object_is_unusable(o);
}
/* The first use, in this execution, of a row that has nothing in memory: a thread. */
void hd_object_renew(struct hd_obj *o);
/* An execution begins. */
void hd_object_begin(void);
/* The memory there is given away anew: what objects were in it is forgotten. */
void hd_object_forget(uintptr_t addr, size_t size);
/* Memory is used that shares bytes with other objects, or more of it than before. */
void hd_object_overlap(struct hd_obj *o, unsigned size);
/* Those that share bytes with it, in this or an earlier execution of the process. */
void hd_object_each_overlap(const struct hd_obj *o, void (*fn)(struct hd_obj *, void *), void *arg);
/* Every object that this execution has used. */
void hd_object_each(void (*fn)(struct hd_obj *, void *), void *arg);

/* ---- the rules of model/sync.h, for the running thread at its turn ------------------------- */

/* Would an operation of that kind succeed now? */
static inline bool hd_can(const struct hd_obj *o, enum hd_kind kind)
{
    return hd_sync_run(&o->sync, hd_kind_when(kind), hd.cur->tid, hd.cur->round) == HD_RUN_OK;
}

/* An operation of that kind succeeds.  number: see hd_sync_happen. */
static inline void hd_take_effect(struct hd_obj *o, enum hd_kind kind, uint64_t number)
{
    hd_sync_happen(&o->sync, hd_kind_change(kind), hd.cur->tid, false, number);
}

#endif
