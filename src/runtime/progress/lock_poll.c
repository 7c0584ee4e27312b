/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lock_poll.c - see lock_poll.h. */
#include "runtime/progress/lock_poll.h"

#include "base/hash.h"
#include "runtime/core/ledger.h"
#include "runtime/core/state.h"
#include "runtime/progress/poll.h"
#include "search/core/step.h"
#include "wire/wire.h"

enum { LOCKS = 8, READS = 8, PATIENCE = 32 };

/* A thread's last visit of a lock. */
static struct visit {
    uint32_t epoch; /* execution to which this belongs */
    uint32_t obj, event;
    uint64_t pc, hash, progress, stores, opaque;
} visits[HD_MAX_THREADS];

static uint32_t polled[LOCKS]; /* mutexes under which threads poll */
static uint32_t npolled;
static uint32_t expected; /* number of times that hd_lock_poll_expects has returned true */

void hd_lock_poll_begin(void)
{
    npolled = expected = 0;
}

/* ---- the round ------------------------------------------------------------------------- */

/* True if t's events from that one on only lock and unlock one mutex and read.  Stores the mutex in *mutex. */
static bool is_round(hd_tid t, uint32_t event, uint32_t *mutex)
{
    const struct hd_execution *x = hd.exec;

    *mutex = 0;
    for (uint32_t i = event; i < x->nevents; i++) {
        const struct hd_event *e = &x->events[i];
        bool locks = e->kind == HD_EV_MUTEX_LOCK || e->kind == HD_EV_MUTEX_UNLOCK;

        if (e->tid != t || e->kind == HD_EV_TOUCH || (!locks && hd_event_polls(e, hd_kind_traits[e->kind])))
            continue;
        if (!locks || e->flags & HD_EVF_FAILED || (*mutex != 0 && *mutex != e->obj))
            return false;
        *mutex = e->obj;
    }
    return *mutex != 0;
}

/* K2: true if some thread tries to take the mutex without waiting. */
static bool is_attempted(uint32_t mutex)
{
    const struct hd_execution *x = hd.exec;

    for (uint32_t i = 0; i < x->nevents; i++)
        if (x->events[i].obj == mutex && hd_kind_traits[x->events[i].kind] & HD_TRAIT_POLLS)
            return true;
    return false;
}

static bool may_hold(void)
{
    return !hd.signals && !hd.exit_begun;
}

bool hd_lock_poll_expects(hd_tid t, uint32_t event)
{
    uint32_t mutex;

    return may_hold() && expected++ < PATIENCE && is_round(t, event, &mutex) && !is_attempted(mutex);
}

/* ---- what the thread waits for ----------------------------------------------------------- */

/* True if another thread has changed the object since t last touched it. */
static bool is_stale(hd_tid t, uint32_t obj)
{
    const struct hd_event *e = hd.exec->events;

    for (uint32_t i = hd.exec->nevents; i > 0; i--) {
        if (e[i - 1].tid == t && hd_event_touches(&e[i - 1], obj))
            return false;
        if (e[i - 1].tid != t && hd_event_changes(&e[i - 1], obj))
            return true;
    }
    return false;
}

/* Stores the mutex and the objects that the round has read.  Returns their number; 0: too many. */
static uint32_t gather(hd_tid t, const struct hd_obj *o, uint32_t event, struct hd_poll_on *on)
{
    const struct hd_execution *x = hd.exec;
    uint32_t n = 1;

    on[0] = (struct hd_poll_on){ o->addr, o->id, is_stale(t, o->id) };
    for (uint32_t i = event; i < x->nevents; i++) {
        const struct hd_event *e = &x->events[i];
        uint32_t k = 0;

        if (e->tid != t || e->obj == 0 || e->obj == o->id)
            continue;
        while (k < n && on[k].obj != e->obj)
            k++;
        if (k == READS)
            return 0;
        if (k == n)
            on[n++] = (struct hd_poll_on){ o->addr, e->obj, is_stale(t, e->obj) };
    }
    return n;
}

static bool is_same(const struct hd_thread *t, const struct visit *a, const struct visit *b)
{
    uint32_t mutex;

    return a->epoch == b->epoch && a->obj == b->obj && a->pc == b->pc && a->hash == b->hash &&
           a->progress + 2 == b->progress && a->stores == b->stores && a->opaque == b->opaque &&
           is_round(t->tid, a->event, &mutex) && mutex == b->obj;
}

bool hd_lock_poll_visit(struct hd_thread *t, const struct hd_obj *o, const struct hd_visit *v)
{
    struct hd_poll_on on[READS];
    struct visit before = visits[t->tid], *now = &visits[t->tid];

    *now = (struct visit){ .epoch = hd.epoch, .obj = o->id, .event = hd.exec->nevents, .pc = v->pc,
                           .hash = hd_hash_words(v->regs, (const void *)v->sp, (t->stack_hi - v->sp) / 8),
                           .progress = t->progress, .stores = hd.stores, .opaque = t->loop.opaque };
    if (!may_hold() || !is_same(t, &before, now) || is_attempted(o->id) || npolled == LOCKS)
        return false;
    uint32_t n = gather(t->tid, o, before.event, on);

    if (n == 0)
        return false;
    polled[npolled] = o->id;
    npolled += npolled == 0 || polled[npolled - 1] != o->id;
    hd_poll_hold_for(t, v->pc, on, n);
    return true;
}

void hd_lock_poll_attempt(const struct hd_event *e)
{
    for (uint32_t i = 0; i < npolled; i++)
        if (polled[i] == e->obj)
            hd_fact(HD_FACT_CYCLE);
}
