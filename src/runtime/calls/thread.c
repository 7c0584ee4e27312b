/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread.c - pthread_create, join, exit, cancel and related functions. */
#include <errno.h>
#include <pthread.h>

#include "runtime/calls/intercept.h"
#include "runtime/core/early_threads.h"
#include "runtime/core/entry.h"
#include "runtime/core/fiber.h"
#include "runtime/core/gate.h"
#include "runtime/core/ledger.h"
#include "runtime/core/operation.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/core/thread.h"
#include "runtime/report/finding.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/mem.h"

/* ---- creation ---------------------------------------------------------------------- */

HD_EXPORT int pthread_create(pthread_t *out, const pthread_attr_t *attr, void *(*fn)(void *), void *arg)
{
    uint64_t pc = HD_PC;
    int detached = PTHREAD_CREATE_JOINABLE;

    if (hd.cur == NULL)
        return hd_early_thread_create(out, attr, fn, arg, pc);
    if (attr == NULL)
        return hd_thread_create(out, false, HD_STACK_USUAL, fn, arg, pc);
    pthread_attr_getdetachstate(attr, &detached);
    return hd_thread_create(out, detached == PTHREAD_CREATE_DETACHED, hd_stack_requested(attr), fn, arg, pc);
}

/* ---- joining -------------------------------------------------------------------------- */

static int joinable(pthread_t thread, struct hd_thread **out, uint64_t pc)
{
    struct hd_thread *t = hd_thread_find(thread);

    if (t == NULL)
        return ESRCH;
    if (t == hd.cur) {
        hd_misuse(pc, "T%u joins itself", t->tid);
        return EDEADLK;
    }
    *out = t;
    return 0;
}

/* Reports that the running thread joins or detaches a thread that was already joined or is
 * detached, and ends the operation.  Returns the error number. */
static int misused(const struct hd_thread *t, const char *verb, uint64_t pc)
{
    hd_misuse(pc, "T%u %s T%u, which %s", hd.cur->tid, verb, t->tid,
              t->joined ? "was joined before" : "is detached");
    hd_done(0, HD_EVF_FAILED);
    return t->joined ? ESRCH : EINVAL;
}

/* Completes a join at its turn.  Returns 0 or an error number. */
static int take_result(struct hd_thread *t, void **value, uint64_t pc)
{
    if (t->joined || t->detached)
        return misused(t, "joins", pc);
    t->joined = 1;
    if (value != NULL)
        *value = t->retval;
    hd_done(t->tid, 0);
    if (value != NULL)
        hd_range_of_call(value, sizeof *value, true, pc);
    return 0;
}

HD_EXPORT int pthread_join(pthread_t thread, void **value)
{
    struct hd_thread *t;

    if (hd.cur == NULL)
        return hd_early_thread_joined(thread, HD_REAL(pthread_join)(hd_early_thread_awaited(thread), value));
    int rc = joinable(thread, &t, HD_PC);

    if (rc != 0)
        return hd_early_thread_is_gone(thread, value) ? 0 : rc;
    hd_cancel_point();
    hd_op_peer(HD_EV_THREAD_JOIN, hd_thread_object(t->slot), t->tid, HD_PC);
    if (t->state != HD_TH_FINISHED && !t->detached) { /* enabled by cancellation only */
        hd_done(0, HD_EVF_FAILED);
        hd_cancel_point();
    }
    return take_result(t, value, HD_PC);
}

static int join_if_ended(pthread_t thread, void **value, int otherwise, uint64_t pc)
{
    struct hd_thread *t;
    int rc = joinable(thread, &t, pc);

    if (rc != 0)
        return hd_early_thread_is_gone(thread, value) ? 0 : rc;
    hd_thread_end_seen();
    hd_op_peer(HD_EV_THREAD_TRYJOIN, hd_thread_object(t->slot), t->tid, pc);
    if (t->state == HD_TH_FINISHED || t->detached)
        return take_result(t, value, pc);
    hd_done(0, HD_EVF_FAILED);
    return otherwise;
}

static int join_until(pthread_t thread, void **value, clockid_t clock, const struct timespec *until,
                      uint64_t pc)
{
    hd_cancel_point();
    int rc = join_if_ended(thread, value, ETIMEDOUT, pc);

    if (rc == ETIMEDOUT)
        hd_time_reach(clock, hd_time_ns(until));
    return rc;
}

HD_POLL_ENTRY(pthread_tryjoin_np);
int hd_impl_pthread_tryjoin_np(pthread_t thread, void **value)
{
    if (hd.cur == NULL)
        return hd_early_thread_joined(thread, HD_REAL(pthread_tryjoin_np)(hd_early_thread_awaited(thread), value));
    return join_if_ended(thread, value, EBUSY, HD_PC);
}

HD_POLL_ENTRY(pthread_timedjoin_np);
int hd_impl_pthread_timedjoin_np(pthread_t thread, void **value, const struct timespec *until)
{
    if (hd.cur == NULL)
        return hd_early_thread_joined(thread,
                               HD_REAL(pthread_timedjoin_np)(hd_early_thread_awaited(thread), value, until));
    if (!hd_time_valid(until))
        return EINVAL;
    return join_until(thread, value, CLOCK_REALTIME, until, HD_PC);
}

HD_POLL_ENTRY(pthread_clockjoin_np);
int hd_impl_pthread_clockjoin_np(pthread_t thread, void **value, clockid_t clock,
                                 const struct timespec *until)
{
    if (hd.cur == NULL)
        return hd_early_thread_joined(
            thread, HD_REAL(pthread_clockjoin_np)(hd_early_thread_awaited(thread), value, clock, until));
    if (!hd_time_valid(until) || !hd_clock_waits(clock))
        return EINVAL;
    return join_until(thread, value, clock, until, HD_PC);
}

HD_EXPORT int pthread_detach(pthread_t thread)
{
    if (hd.cur == NULL)
        return hd_early_thread_detach(thread);
    struct hd_thread *t = hd_thread_find(thread);

    if (t == NULL)
        return hd_early_thread_is_gone(thread, NULL) ? 0 : ESRCH;
    hd_op_peer(HD_EV_THREAD_DETACH, hd_thread_object(t->slot), t->tid, HD_PC);
    if (t->detached || t->joined) {
        misused(t, "detaches", HD_PC);
        return EINVAL;
    }
    t->detached = 1;
    hd_done(t->tid, 0);
    return 0;
}

/* ---- exit and cancellation -------------------------------------------------------------------- */

HD_EXPORT _Noreturn void pthread_exit(void *value)
{
    if (hd.cur == NULL) {
        HD_REAL(pthread_exit)(value);
        __builtin_unreachable();
    }
    hd_thread_exit(value);
}

static int model_pthread_cancel(pthread_t thread, uint64_t pc)
{
    struct hd_thread *t = hd_thread_find(thread);

    if (t == NULL)
        return ESRCH;
    hd_fact(HD_FACT_CANCEL);
    hd_op_peer(HD_EV_THREAD_CANCEL, hd_thread_object(t->slot), t->tid, pc);
    t->cancel.pending = 1;
    hd_done(t->tid, 0);
    if (t != hd.cur && t->state == HD_TH_LIVE && t->cancel.type == PTHREAD_CANCEL_ASYNCHRONOUS)
        hd_uncontrolled("asynchronous cancellation acts at cancellation points only");
    if (t->state == HD_TH_LIVE && t != hd.cur)
        hd_gate_reevaluate(t);
    if (t == hd.cur && t->cancel.type == PTHREAD_CANCEL_ASYNCHRONOUS)
        hd_cancel_point();
    return 0;
}

static int model_pthread_setcancelstate(int state, int *old)
{
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
        return EINVAL;
    if (old != NULL)
        *old = hd.cur->cancel.state;
    hd.cur->cancel.state = (uint8_t)state;
    return 0;
}

static int model_pthread_setcanceltype(int type, int *old)
{
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
        return EINVAL;
    if (old != NULL)
        *old = hd.cur->cancel.type;
    hd.cur->cancel.type = (uint8_t)type;
    if (type == PTHREAD_CANCEL_ASYNCHRONOUS) {
        hd_cancel_turn(); /* so that some execution cancels the thread in this state */
        hd_cancel_point();
    }
    return 0;
}

/* ---- attributes ----------------------------------------------------------------------- */

HD_EXPORT int pthread_getattr_np(pthread_t thread, pthread_attr_t *attr)
{
    struct hd_thread *t = hd.cur == NULL ? NULL : hd_thread_find(thread);
    int rc = HD_REAL(pthread_getattr_np)(thread, attr);

    if (rc != 0 || t == NULL)
        return rc;
    hd_range_of_call(attr, sizeof *attr, true, HD_PC);
    pthread_attr_setdetachstate(attr, t->detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
    size_t size = t->stack_size != 0 ? t->stack_size : HD_STACK_DEFAULT;

    pthread_attr_setstack(attr, (void *)(HD_PAGE_CEIL(t->stack_hi) - size), size);
    pthread_attr_setguardsize(attr, t->guard_size);
    return 0;
}

#define CALLS_THREAD
#include "runtime/calls/calls.def"
