/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cond.c - condition variables with tokens.  A signal adds a token that belongs to no particular
 * thread.  The first eligible waiter that relocks the mutex takes it.  A wait consists of two
 * events: unlock-and-enqueue, and wake-up-and-relock. */
#include <errno.h>
#include <pthread.h>

#include "runtime/calls/intercept.h"
#include "runtime/core/early_threads.h"
#include "runtime/core/entry.h"
#include "runtime/core/gate.h"
#include "runtime/core/mutex.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/progress/poll.h"
#include "runtime/report/finding.h"
#include "runtime/sys/compiler.h"
#include "runtime/watch/fault.h"
#include "wire/wire.h"

static void check_mutex(struct hd_obj *c, struct hd_obj *m, uint64_t pc)
{
    if (m->sync.owner != hd.cur->tid)
        hd_misuse(pc, "T%u waits on " HD_NAMED " without holding " HD_NAMED, hd.cur->tid, c->id, m->id);
    else if (m->sync.count > 1) /* POSIX: the wait releases only one level of a recursive mutex, so no other thread
                                 * can make the condition true */
        hd_misuse(pc, "T%u waits on " HD_NAMED " with " HD_NAMED ", which it has locked %u times: the wait unlocks it once",
                  hd.cur->tid, c->id, m->id, m->sync.count);
    if (c->sync.nwaiters > 0 && c->second != NULL && c->second != m)
        hd_misuse(pc, "T%u waits on " HD_NAMED " with " HD_NAMED ", while others wait with " HD_NAMED,
                  hd.cur->tid, c->id, m->id, c->second->id);
}

/* Records that the running thread waits with m.  Waits with the same mutex commute.  If the mutex changes, the
 * result depends on which threads still wait, so the step conflicts with all other operations on c. */
static void use_mutex(struct hd_obj *c, struct hd_obj *m, uint64_t pc)
{
    if (c->second != NULL && c->second != m) {
        hd_touch(c->id, pc);
        hd_touch(c->id + 1, pc);
    }
    c->second = m;
}

/* Waits once.  Returns true if the thread was woken; it holds the mutex again.  Returns false if
 * the wait timed out (the thread does not hold the mutex) or the thread was cancelled (it holds the
 * mutex). */
static bool wait_once(struct hd_obj *c, struct hd_obj *m, enum hd_timed timed, uint64_t pc)
{
    uint32_t depth = m->sync.count;

    hd_op(HD_EV_COND_WAIT, m, c, pc);
    hd_gate_use(c, pc);
    check_mutex(c, m, pc);
    if (m->sync.owner == hd.cur->tid)
        hd_mutex_drop(m);
    hd_wait_enqueue(c, timed);
    hd_done(0, 0);
    use_mutex(c, m, pc);
    bool woken = hd_wait_block(c, hd.cfg->study ? NULL : m, pc);

    if (hd.cfg->study && (woken || hd_thread_is_cancelled(hd.cur))) { /* the study's third scheduling point */
        hd_op(HD_EV_MUTEX_LOCK, m, NULL, pc);
        hd_mutex_take(m, pc);
        hd_done(0, 0);
    }
    if (woken || m->sync.owner == hd.cur->tid)
        m->sync.count = depth;
    return woken;
}

static void relock(struct hd_obj *m, uint32_t depth, uint64_t pc)
{
    hd_op(HD_EV_MUTEX_LOCK, m, NULL, pc);
    hd_mutex_take(m, pc);
    m->sync.count = depth;
    hd_done(0, 0);
}

/* True if a fault is injected: the wait may end spuriously.  The model treats it like a wait that
 * may time out at any moment, but it does not report a timeout. */
static bool may_end_by_itself(struct hd_obj *c, uint64_t pc)
{
    return hd_fault(HD_FAULT_WAKEUP, c, pc);
}

/* Cancels the thread if a cancellation is pending.  For a thread that was woken, hd_wait_block has
 * already decided this. */
static void pass_cancellation(bool woken)
{
    if (woken)
        hd_cancel_passed();
    else
        hd_cancel_point();
}

static int wait_for_ever(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t pc)
{
    struct hd_obj *m = hd_object(mutex, HD_OBJ_MUTEX);
    struct hd_obj *c = hd_object(cond, HD_OBJ_COND);

    if (m->attr == PTHREAD_MUTEX_ERRORCHECK && m->sync.owner != hd.cur->tid)
        return EPERM;
    hd_cancel_point();
    uint32_t depth = m->sync.count;
    bool woken = wait_once(c, m, may_end_by_itself(c, pc) ? HD_TIMED_FAULT : HD_TIMED_NOT, pc);

    if (!woken && m->sync.owner != hd.cur->tid) /* a cancelled thread holds the mutex already */
        relock(m, depth, pc);
    pass_cancellation(woken); /* POSIX: the mutex is held when the thread is cancelled */
    return m->flags & HD_OF_INCONSISTENT ? EOWNERDEAD : 0;
}

HD_EXPORT int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
    if (hd.cur == NULL)
        return HD_REAL_WAIT(pthread_cond_wait)(cond, mutex);
    return wait_for_ever(cond, mutex, HD_PC);
}

/* A wait that times out has changed nothing, so it does not count as progress when Heddle looks for polling
 * threads. */
static int wait_until(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                      const struct timespec *until, uint64_t pc)
{
    struct hd_obj *m = hd_object(mutex, HD_OBJ_MUTEX);
    struct hd_obj *c = hd_object(cond, HD_OBJ_COND);
    uint64_t progress = hd.cur->progress;

    if (!hd_time_valid(until) || !hd_clock_waits(clock))
        return EINVAL;
    if (m->attr == PTHREAD_MUTEX_ERRORCHECK && m->sync.owner != hd.cur->tid)
        return EPERM;
    hd_cancel_point();
    hd_poll_visit(hd.cur, HD_EV_COND_WAIT, NULL, pc);
    uint32_t depth = m->sync.count;
    bool fault = may_end_by_itself(c, pc);

    hd_time_limits(clock, until);
    bool woken = wait_once(c, m, fault ? HD_TIMED_FAULT : HD_TIMED, pc);

    pass_cancellation(woken);
    if (woken)
        return m->flags & HD_OF_INCONSISTENT ? EOWNERDEAD : 0;
    if (!fault)
        hd_time_reach(clock, hd_time_ns(until));
    relock(m, depth, pc);
    if (fault)
        return m->flags & HD_OF_INCONSISTENT ? EOWNERDEAD : 0;
    hd.progress -= hd.cur->progress - progress;
    hd.cur->progress = progress;
    return ETIMEDOUT;
}

static clockid_t clock_of(const pthread_cond_t *cond)
{
    return cond->__data.__wrefs & 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

HD_POLL_ENTRY(pthread_cond_timedwait);
int hd_impl_pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
                                   const struct timespec *until)
{
    if (hd.cur == NULL)
        return HD_REAL_WAIT(pthread_cond_timedwait)(cond, mutex, until);
    return wait_until(cond, mutex, clock_of(cond), until, HD_PC);
}

HD_POLL_ENTRY(pthread_cond_clockwait);
int hd_impl_pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                                   const struct timespec *until)
{
    if (hd.cur == NULL)
        return HD_REAL_WAIT(pthread_cond_clockwait)(cond, mutex, clock, until);
    return wait_until(cond, mutex, clock, until, HD_PC);
}

static int notify(enum hd_kind kind, pthread_cond_t *cond, unsigned most, uint64_t pc)
{
    struct hd_obj *c = hd_object(cond, HD_OBJ_COND);

    hd_op(kind, c, NULL, pc);
    hd_done(hd_wait_tokens(c, most), 0);
    return 0;
}

HD_EXPORT int pthread_cond_signal(pthread_cond_t *cond)
{
    if (hd.cur == NULL)
        return HD_REAL(pthread_cond_signal)(cond);
    return notify(HD_EV_COND_SIGNAL, cond, 1, HD_PC);
}

HD_EXPORT int pthread_cond_broadcast(pthread_cond_t *cond)
{
    if (hd.cur == NULL)
        return HD_REAL(pthread_cond_broadcast)(cond);
    return notify(HD_EV_COND_BROADCAST, cond, HD_MAX_THREADS, HD_PC);
}

HD_EXPORT int pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attr)
{
    int rc = HD_REAL(pthread_cond_init)(cond, attr);

    if (hd.cur == NULL || rc != 0)
        return rc;
    hd_note(HD_EV_COND_INIT, hd_object_fresh(cond, HD_OBJ_COND), 0, HD_PC);
    return 0;
}

HD_EXPORT int pthread_cond_destroy(pthread_cond_t *cond)
{
    if (hd.cur == NULL)
        return HD_REAL(pthread_cond_destroy)(cond);
    struct hd_obj *c = hd_object(cond, HD_OBJ_COND);

    hd_op(HD_EV_COND_DESTROY, c, NULL, HD_PC);
    /* Waiters with a token are about to leave.  POSIX allows destroy in this case. */
    if (c->sync.nwaiters > c->sync.ntokens)
        hd_misuse(HD_PC, "T%u destroys " HD_NAMED ", on which %u thread%s", hd.cur->tid, c->id,
                  c->sync.nwaiters - c->sync.ntokens, c->sync.nwaiters - c->sync.ntokens == 1 ? " waits" : "s wait");
    hd_object_destroyed(c);
    hd_done(0, 0);
    return 0;
}
