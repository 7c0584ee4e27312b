/* SPDX-License-Identifier: BSD-2-Clause
 *
 * enabled.c - decides which threads are enabled (gate.c, G2). */
#include "base/check.h"
#include "base/rules.h"
#include "model/automaton.h"
#include "runtime/core/callbacks.h"
#include "runtime/core/gate_inner.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/state.h"
#include "runtime/core/thread.h"
#include "runtime/sys/compiler.h"
#include "wire/wire.h"

bool hd_gate_has_token(const struct hd_thread *t)
{
    return hd_sync_has_token(&t->waits->sync, t->waits->tokens, t->stamp);
}

bool hd_gate_is_woken(const struct hd_thread *t)
{
    return hd_gate_has_token(t) || (t->waits->type == HD_OBJ_COND && hd_thread_is_cancelled(t));
}

static bool is_free(const struct hd_obj *mutex)
{
    return mutex == NULL || mutex->sync.owner == HD_NO_TID;
}

/* Sets the pending event of a waiter to its next step, which depends on the tokens: wake-up (with
 * relocking) or time-out.  Returns true if the waiter is enabled.  The event's objects are those in
 * the table of kinds; the row after a queue's row stands for its tokens. */
static __attribute__((noinline)) bool waiter_enabled(struct hd_thread *t, struct hd_event *e)
{
    bool cond = t->waits->type == HD_OBJ_COND;
    bool woken = hd_gate_is_woken(t);

    e->obj = t->waits->id;
    e->obj2 = t->waits->id + 1;
    if (woken || !t->timed) {
        e->kind = cond ? HD_EV_COND_WAKE : HD_EV_FUTEX_WAKEUP;
        if (t->obj2 != NULL)
            e->obj = t->obj2->id;
    } else {
        e->kind = cond ? HD_EV_COND_TIMEOUT : HD_EV_FUTEX_TIMEOUT;
    }
    e->aux = t->timed ? HD_AUX_TIMED : 0;
    hd_stand(t->tid, hd_signature_of(t->waits, (enum hd_kind)e->kind), e->pc);
    bool idle = hd.cfg->timeouts_idle && t->timed == HD_TIMED;

    hd_set_put(&hd.idle, t->tid, !woken && idle);
    if (woken)
        return is_free(t->obj2);
    return t->timed && !idle && !t->loop.parked && !t->loop.stopped;
}

/* Returns true if an operation with a time limit is enabled.  It can always run, and times out if
 * it cannot succeed.  With --timeouts=idle it can time out only when no other thread can run. */
static bool timed_enabled(const struct hd_thread *t, bool can_succeed)
{
    hd_set_put(&hd.idle, t->tid, hd.cfg->timeouts_idle && !can_succeed);
    return can_succeed || !hd.cfg->timeouts_idle;
}

/* Returns true if a sleeping thread may wake up.  It may at any time, unless --timeouts=idle is given.  In an
 * atomic section no other thread runs, so a sleep there need not wait. */
static bool sleep_enabled(const struct hd_thread *t)
{
    bool idle = hd.cfg->timeouts_idle && !t->in_section && !hd_thread_is_cancelled(t);

    hd_set_put(&hd.idle, t->tid, idle);
    return !idle;
}

static bool timer_enabled(const struct hd_thread *t)
{
    bool idle, now = hd_callbacks.timer_can_go_on(t, &idle);

    hd_set_put(&hd.idle, t->tid, idle);
    return now;
}

static inline enum hd_run join_outcome(const struct hd_thread *t, const struct hd_event *e)
{
    struct hd_sync_state s = { .done = hd.exec->threads[e->peer].state == HD_TH_FINISHED,
                               .count = hd.thread[e->peer].detached };

    return hd_sync_run(&s, HD_WHEN_ENDED, t->tid, 0);
}

/* Returns the outcome that the pending operation would have now.  If the operation does not depend on the state of
 * its object, builds a state that expresses its condition. */
static enum hd_run outcome(const struct hd_thread *t, const struct hd_event *e, enum hd_when when)
{
    struct hd_sync_state s;

    switch (when) {
    case HD_WHEN_ENDED:
        return join_outcome(t, e);
    case HD_WHEN_NOT_DONE:
        s = (struct hd_sync_state){ .done = hd.exit_begun };
        return hd_sync_run(&s, when, t->tid, 0);
    case HD_WHEN_IO:
        return hd_run_if(hd_callbacks.io_can_go_on(t));
    default:
        return hd_sync_run(&t->obj->sync, when, t->tid, t->round);
    }
}

/* Not inlined: most threads that are reevaluated wait for one of the kinds in is_enabled. */
static __attribute__((noinline)) bool is_enabled_by_table(struct hd_thread *t, const struct hd_event *e)
{
    const struct hd_kind_info *k = &hd_kind_info[e->kind];

    if (e->kind == HD_EV_SLEEP)
        return sleep_enabled(t);
    if (!(k->traits & HD_CONDITIONAL) || k->when == HD_WHEN_ALWAYS)
        return true;
    if (k->when == HD_WHEN_NEVER) /* worker/verdict.c chooses it when no other thread can run */
        return false;
    if (k->when == HD_WHEN_TIMER)
        return timer_enabled(t);
    enum hd_run run = outcome(t, e, (enum hd_when)k->when);

    if (k->props & HD_PROP_CANCEL && hd_thread_is_cancelled(t))
        run = HD_RUN_OK;
    return k->traits & HD_TRAIT_TIMED ? timed_enabled(t, run == HD_RUN_OK) : run != HD_RUN_BLOCKED;
}

static bool is_enabled(struct hd_thread *t)
{
    struct hd_event *e = &hd.exec->pending[t->tid];

    if (t->waits != NULL)
        return waiter_enabled(t, e);
    /* Fast path for the most frequent kinds; is_enabled_by_table would return the same. */
    if (e->kind == HD_EV_MUTEX_LOCK)
        return hd_mutex_is_open(t->obj);
    if (e->kind == HD_EV_THREAD_JOIN && !t->cancel.pending)
        return join_outcome(t, e) != HD_RUN_BLOCKED;
    if (e->kind == HD_EV_SEM_WAIT && !t->cancel.pending)
        return hd_sync_run(&t->obj->sync, hd_kind_when(HD_EV_SEM_WAIT), HD_NO_TID, 0) != HD_RUN_BLOCKED;
    return is_enabled_by_table(t, e);
}

/* Returns true if t is parked, at its loop bound or out of exit grace.  A thread that polls by
 * timed waits is not held before the wait, where a signal would miss it, but inside: waiter_enabled
 * keeps it from timing out. */
static HD_COLD bool is_held_back(const struct hd_thread *t)
{
    const struct hd_event *e = &hd.exec->pending[t->tid];
    unsigned kind = e->kind;
    bool parked = t->loop.parked && (t->loop.held || hd_event_awaits(e)); /* otherwise the thread is inside a
                                                                           * signal handler */
    bool waits = t->waits != NULL || kind == HD_EV_COND_WAIT;

    return (!waits && kind != HD_EV_SIGNAL && (parked || t->loop.stopped)) || t->grace > hd.cfg->exit_grace;
}

void hd_gate_reevaluate(struct hd_thread *t)
{
    bool enabled = is_enabled(t);

    if (HD_UNLIKELY(t->loop.parked | t->loop.stopped | hd.exit_begun) && is_held_back(t))
        enabled = false;
    hd_set_put(&hd.point.enabled, t->tid, enabled);
}

void hd_gate_reevaluate_object(struct hd_obj *o)
{
    unsigned words = o->nwatchers != 0 ? (hd.point.nthreads + 63) / 64 : 0;

    for (unsigned i = 0; i < words; i++)
        for (uint64_t w = hd_set_word(&o->watchers, i); w != 0; w &= w - 1)
            hd_gate_reevaluate(&hd.thread[i * 64 + (unsigned)__builtin_ctzll(w)]);
}

/* ---- checks of the rules (-DHEDDLE_CHECKS=ON) ---------------------------------------------- */

static void check_watchers(const struct hd_obj *o)
{
    HD_CHECK(o->nwatchers == hd_set_count(&o->watchers), "G3: an object counts its watchers");
    HD_SET_EACH(tid, &o->watchers)
        HD_CHECK(hd.thread[tid].obj == o || hd.thread[tid].obj2 == o,
                 "G3: a watcher's pending operation names the object");
}

static void check_thread(struct hd_thread *t)
{
    unsigned kind = hd.exec->pending[t->tid].kind;
    bool was = hd_set_has(&hd.point.enabled, t->tid);
    struct hd_obj *objects[] = { t->obj, t->obj2 };

    HD_CHECK(kind != HD_EV_NONE, "G1: every live thread has a pending operation");
    for (int i = 0; i < 2 && hd_kind_traits[kind] & HD_CONDITIONAL; i++)
        if (objects[i] != NULL) {
            HD_CHECK(hd_set_has(&objects[i]->watchers, t->tid),
                     "G3: a thread watches the objects of its conditional operation");
            check_watchers(objects[i]);
        }
    hd_gate_reevaluate(t);
    HD_CHECK(was == hd_set_has(&hd.point.enabled, t->tid), "G2: a thread is enabled iff it can go on");
}

void hd_gate_check_rules(void)
{
    for (unsigned tid = 0; tid < hd.point.nthreads; tid++)
        if (hd.thread[tid].state == HD_TH_LIVE)
            check_thread(&hd.thread[tid]);
        else
            HD_CHECK(!hd_set_has(&hd.point.enabled, tid), "G2: only live threads are enabled");
}
