/* SPDX-License-Identifier: BSD-2-Clause
 *
 * operation.h - visible operations: the calls from which every interposer and hook is built.
 *
 * The life of a visible operation:
 *     struct hd_obj *o = hd_object(addr, HD_OBJ_SEM);
 *     hd_op(HD_EV_SEM_WAIT, o, NULL, HD_PC);   announce, wait for the turn
 *     hd_take_effect(o, HD_EV_SEM_WAIT, 0);     change the model's state (object.h)
 *     hd_done(value, flags);                    record; enable or disable other threads
 * Between hd_op and hd_done no other thread runs.  Checks that need no turn (a wrong argument, an
 * error that depends on the calling thread only) come before hd_op.  Everything that depends on
 * other threads comes after it. */
#ifndef HD_RUNTIME_CORE_OPERATION_H
#define HD_RUNTIME_CORE_OPERATION_H

#include <stdbool.h>
#include <stddef.h>

#include "model/event.h"
#include "model/execution.h"
#include "runtime/core/state.h"

struct hd_obj;

/* Announces the operation and returns when it has its turn. */
void hd_op(enum hd_kind kind, struct hd_obj *o, struct hd_obj *o2, uint64_t pc);
/* Like hd_op, for an operation that concerns another thread, peer. */
void hd_op_peer(enum hd_kind kind, struct hd_obj *o, hd_tid peer, uint64_t pc);
/* Like hd_op, with flags that the event has already while it is pending. */
void hd_op_flags(enum hd_kind kind, struct hd_obj *o, unsigned flags, uint64_t pc);
/* Like hd_op, for an operation without an object, which conflicts with no other (yield, sleep). */
static inline void hd_op_local(enum hd_kind kind, uint64_t pc)
{
    hd_op(kind, NULL, NULL, pc);
}
/* Records that the running thread's operation has taken effect. */
void hd_done(uint64_t value, unsigned flags);
/* True if the last event was an operation of a waiting loop (progress/await.h) of the running thread. */
bool hd_after_await(void);
/* A yield as a visible operation: other threads can run before the caller continues.
 * Directly after an operation of a waiting loop it is a part of that operation's step. */
static inline void hd_yield(uint64_t pc)
{
    if (hd_after_await())
        return;
    hd_op_local(HD_EV_YIELD, pc);
    hd_done(0, 0);
}
/* Records an event that is not a scheduling point (init, fence). */
void hd_note(enum hd_kind kind, struct hd_obj *o, uint64_t value, uint64_t pc);
/* Like hd_note, if no other thread exists or can still be created: the event orders nothing for the race detector. */
void hd_note_alone(enum hd_kind kind, struct hd_obj *o, uint64_t value, uint64_t pc);
/* Records that the last operation of the running thread depends on all earlier operations on this
 * object. */
void hd_touch(uint32_t obj, uint64_t pc);
/* Records that the last operation of the running thread has also read or written this unit of
 * memory. */
void hd_touch_unit(struct hd_obj *unit, bool write, uint64_t pc);
/* Records that the last operation of the running thread also used this channel.  told: enum hd_flow. */
void hd_note_channel(struct hd_obj *channel, unsigned told, uint64_t pc);
/* Returns one of 0 to n-1.  The search explores the alternatives as it explores thread switches. */
uint32_t hd_choose(uint32_t n, uint64_t pc);
/* Like hd_choose, with an event of this kind.  `obj` and `what` become the event's objects; 0: none. */
uint32_t hd_choose_as(enum hd_kind kind, uint32_t n, uint32_t obj, uint32_t what, uint64_t pc);
/* Returns the pending event of the running thread.  Valid between hd_op and hd_done. */
static inline struct hd_event *hd_pending(void)
{
    return &hd.exec->pending[hd.cur->tid];
}

/* How a wait may end without a token. */
enum hd_timed {
    HD_TIMED_NOT,
    HD_TIMED,       /* the wait may end by a time-out */
    HD_TIMED_FAULT, /* an injected fault may end it spuriously, regardless of --timeouts */
};

/* Waits with tokens (conditions, futexes): see docs/internals.md, "The gate". */
void hd_wait_enqueue(struct hd_obj *q, enum hd_timed timed); /* adds the running thread */
unsigned hd_wait_tokens(struct hd_obj *q, unsigned n);    /* adds up to n tokens; returns how many */
/* Blocks until a token or a time-out.  Call after hd_wait_enqueue and the hd_done of the first part
 * of the wait.  Returns true if woken; the wake-up itself has then locked mutex, if that is not
 * NULL.  Returns false after a time-out; the mutex is then not locked. */
bool hd_wait_block(struct hd_obj *q, struct hd_obj *mutex, uint64_t pc);
/* Removes t from its queue, if it is in one, because a handler has ended its wait. */
void hd_wait_leave(struct hd_thread *t);

#endif
