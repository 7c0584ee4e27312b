/* SPDX-License-Identifier: BSD-2-Clause
 *
 * gate_inner.h - code that the parts of the gate share: gate.c, enabled.c, tokens.c. */
#ifndef HD_RUNTIME_CORE_GATE_INNER_H
#define HD_RUNTIME_CORE_GATE_INNER_H

#include "base/check.h"
#include "runtime/core/event_words.h"
#include "runtime/core/gate.h"
#include "runtime/core/object.h"
#include "runtime/core/state.h"

/* For code that every visible operation runs: a call and its return would double the cost. */
#define HD_HOT inline __attribute__((always_inline))

/* By tid: the signature of the thread's pending operation. */
extern uint32_t hd_gate_sigs[HD_MAX_THREADS] __attribute__((visibility("hidden")));

/* Returns the signature of an operation, which replay compares.  It covers the kind and the
 * canonical object, not addresses. */
static inline uint32_t hd_signature_of(const struct hd_obj *o, enum hd_kind kind)
{
    return (o != NULL ? o->sig : 0) + (uint32_t)kind * 0x9e3779b1u;
}

/* By tid: what the thread adds to the sum hd.point.stands. */
extern uint32_t hd_gate_stood[HD_MAX_THREADS] __attribute__((visibility("hidden")));

static inline uint32_t hd_standing(unsigned tid, uint32_t sig, uint64_t pc)
{
    uint32_t h = sig + (uint32_t)pc;

    return (h ^ h >> 15) * (2 * tid + 1);
}

/* Records that the thread's pending operation has changed.  hd.point.stands is needed only if
 * the search compares this execution with an earlier one. */
static inline void hd_stand(unsigned tid, uint32_t sig, uint64_t pc)
{
    hd_gate_sigs[tid] = sig;
    if (!hd.search.compares)
        return;
    uint32_t now = hd_standing(tid, sig, pc);

    hd.point.stands += now - hd_gate_stood[tid];
    hd_gate_stood[tid] = now;
}

static inline bool hd_mutex_is_open(const struct hd_obj *mutex)
{
    return hd_sync_run(&mutex->sync, hd_kind_when(HD_EV_MUTEX_LOCK), HD_NO_TID, 0) != HD_RUN_BLOCKED;
}

/* Traits of operations whose enabledness depends on the state of their objects. */
#define HD_CONDITIONAL (HD_TRAIT_BLOCKS | HD_TRAIT_TIMED)

static inline void hd_watch(struct hd_obj *o, unsigned tid, enum hd_kind kind)
{
    hd_set_add(&o->watchers, tid);
    o->nwatchers++;
    o->nlockers += kind == HD_EV_MUTEX_LOCK;
}

static inline void hd_unwatch(struct hd_obj *o, unsigned tid, enum hd_kind kind)
{
    hd_set_remove(&o->watchers, tid);
    o->nwatchers--;
    o->nlockers -= kind == HD_EV_MUTEX_LOCK;
}

static HD_HOT void hd_announce(struct hd_thread *t, enum hd_kind kind, unsigned traits, struct hd_obj *o,
                            struct hd_obj *o2, hd_tid peer, uint64_t pc)
{
    bool conditional = traits & HD_CONDITIONAL;
    unsigned tid = t->tid;
    uint64_t objects = 0;

    t->obj = o;
    t->obj2 = o2;
    hd_stand(tid, hd_signature_of(o, kind), pc);
    if (o != NULL) {
        objects = o->id;
        if (conditional)
            hd_watch(o, tid, kind);
        if (o2 == NULL && (o->type == HD_OBJ_COND || o->type == HD_OBJ_FUTEX))
            objects |= (uint64_t)(o->id + 1) << 32; /* the row of the queue's tokens */
    }
    if (HD_UNLIKELY(o2 != NULL)) {
        objects |= (uint64_t)o2->id << 32;
        if (conditional)
            hd_watch(o2, tid, kind);
    }
    hd_event_set(&hd.exec->pending[tid], hd_event_head((hd_tid)tid, kind, peer), objects, pc);
}

/* Waits until the operation that the running thread has announced has its turn.  Returns false if a signal handler
 * has ended the wait; then the operation is no longer pending. */
bool hd_gate_await(struct hd_thread *t, enum hd_kind kind, uint64_t pc);
/* Returns true if the queue in which t waits has a token for t. */
bool hd_gate_has_token(const struct hd_thread *t);

/* Checks G1 to G3 (gate.c) before a decision.  Only in builds with HD_CHECKS. */
void hd_gate_check_rules(void);

#endif
