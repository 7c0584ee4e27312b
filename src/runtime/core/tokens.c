/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tokens.c - waits with tokens (conditions and futexes), and saving a thread's pending operation
 * while it takes a signal (kernel/signals.h, S2). */
#include "base/check.h"
#include "model/automaton.h"
#include "runtime/core/callbacks.h"
#include "runtime/core/event_words.h"
#include "runtime/core/gate_inner.h"
#include "runtime/core/mutex.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/state.h"
#include "runtime/core/thread.h"
#include "runtime/sys/compiler.h"

void hd_wait_enqueue(struct hd_obj *q, enum hd_timed timed)
{
    struct hd_thread *t = hd.cur;

    t->timed = (uint8_t)timed;
    hd_sync_enter(&q->sync, &t->stamp);
    t->queued = q;
}

unsigned hd_wait_tokens(struct hd_obj *q, unsigned n)
{
    if (q->sync.nwaiters > 0 && q->tokens == NULL)
        q->tokens = hd_object_tokens();
    return hd_sync_signal(&q->sync, q->tokens, n);
}

static void dequeue(struct hd_thread *t)
{
    hd_sync_leave(&t->queued->sync, t->queued->tokens);
    t->queued = NULL;
}

void hd_wait_leave(struct hd_thread *t)
{
    if (t->queued != NULL)
        dequeue(t);
}

/* The running thread was woken, and there is a request to cancel it.  POSIX leaves open which of the two takes
 * effect first.  Returns true if the thread is cancelled; then it has not taken the token, which stays for other
 * waiters.  No other thread has run since its event. */
static HD_COLD bool acts_on_request(struct hd_obj *q, uint32_t token, uint32_t event, uint64_t pc)
{
    if (hd_choose(2, pc) == 1)
        return false;
    hd.exec->events[event].value = HD_WAKE_CANCELLED;
    hd_sync_give_back(&q->sync, q->tokens, token);
    hd_gate_reevaluate_object(q);
    return true;
}

bool hd_wait_block(struct hd_obj *q, struct hd_obj *mutex, uint64_t pc)
{
    struct hd_thread *t = hd.cur;

    if (HD_UNLIKELY(hd.invariants))
        hd_callbacks.check_invariants();
    hd_announce(t, HD_EV_COND_WAKE, hd_kind_traits[HD_EV_COND_WAKE], q, mutex, HD_NO_TID, pc);
    if (HD_UNLIKELY(t->loop.held)) /* the thread is kept from timing out again */
        hd_event_add_flags(&hd.exec->pending[t->tid], HD_EVF_HELD);
    t->waits = q;
    if (HD_UNLIKELY(!hd_gate_await(t, HD_EV_COND_WAKE, pc))) { /* a signal handler has ended the wait */
        hd_wait_leave(t);
        return false;
    }
    bool is_asked = q->type == HD_OBJ_COND && hd_thread_is_cancelled(t);
    bool woken = hd_gate_has_token(t) && !(is_asked && mutex == NULL);
    bool cancelled = is_asked && !woken;
    uint32_t token = 0, event = hd.exec->nevents;

    t->waits = NULL;
    if (woken)
        token = hd_sync_take_token(&q->sync, q->tokens, t->stamp);
    dequeue(t);
    if ((woken || cancelled) && mutex != NULL)
        hd_mutex_take(mutex, pc);
    bool holds = woken || (cancelled && mutex != NULL);

    hd_done(cancelled ? HD_WAKE_CANCELLED : woken, holds ? 0 : HD_EVF_FAILED);
    return woken && !(is_asked && acts_on_request(q, token, event, pc));
}

/* ---- a pending operation saved while its thread takes a signal -------------------------------- */

void hd_gate_save_pending(struct hd_thread *t, struct hd_saved_op *a, struct hd_obj *signals)
{
    struct hd_event *e = &hd.exec->pending[t->tid];
    bool conditional = hd_kind_traits[e->kind] & HD_CONDITIONAL;

    *a = (struct hd_saved_op){ *e, t->obj, t->obj2, t->waits };
    if (conditional && t->obj != NULL)
        hd_unwatch(t->obj, t->tid, (enum hd_kind)e->kind);
    if (conditional && t->obj2 != NULL)
        hd_unwatch(t->obj2, t->tid, (enum hd_kind)e->kind);
    t->waits = NULL;
    hd_set_remove(&hd.idle, t->tid);
    hd_announce(t, HD_EV_SIGNAL, hd_kind_traits[HD_EV_SIGNAL], signals, NULL, HD_NO_TID, e->pc);
    hd_gate_reevaluate(t);
}

void hd_gate_restore_pending(struct hd_thread *t, const struct hd_saved_op *a)
{
    enum hd_kind kind = (enum hd_kind)a->event.kind;
    bool conditional = hd_kind_traits[kind] & HD_CONDITIONAL;

    hd.exec->pending[t->tid] = a->event;
    t->obj = a->obj;
    t->obj2 = a->obj2;
    t->waits = a->waits;
    hd_gate_sigs[t->tid] = hd_signature_of(t->obj, kind);
    if (conditional && t->obj != NULL)
        hd_watch(t->obj, t->tid, kind);
    if (conditional && t->obj2 != NULL)
        hd_watch(t->obj2, t->tid, kind);
    hd_gate_reevaluate(t);
}
