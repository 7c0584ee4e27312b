/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sem.c - unnamed semaphores, and the operations on named ones (semname.c opens them).  Only the
 * model knows the value.  The sem_t keeps what sem_init wrote, so that a semaphore from before main
 * is imported with its initial value. */
#include <limits.h>
#include <semaphore.h>

#include "runtime/calls/intercept.h"
#include "runtime/core/early_threads.h"
#include "runtime/core/entry.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/kernel/signals.h"
#include "runtime/sys/compiler.h"
#include "runtime/watch/fault.h"

static int fail(int error)
{
    errno = error;
    return -1;
}

static int take(struct hd_obj *o)
{
    hd_take_effect(o, HD_EV_SEM_WAIT, 0);
    hd_done(o->sync.count, 0);
    return 0;
}

static int refuse(int error)
{
    hd_done(0, HD_EVF_FAILED);
    return fail(error);
}

HD_EXPORT int sem_init(sem_t *s, int shared, unsigned value)
{
    int rc = HD_REAL(sem_init)(s, shared, value);

    if (hd.cur == NULL || rc != 0)
        return rc;
    struct hd_obj *o = hd_object_fresh(s, HD_OBJ_SEM);

    hd_take_effect(o, HD_EV_SEM_INIT, value);
    hd_note(HD_EV_SEM_INIT, o, value, HD_PC);
    return 0;
}

HD_EXPORT int sem_destroy(sem_t *s)
{
    if (hd.cur == NULL)
        return HD_REAL(sem_destroy)(s);
    struct hd_obj *o = hd_object(s, HD_OBJ_SEM);

    hd_op(HD_EV_SEM_DESTROY, o, NULL, HD_PC); /* enables waiting threads: they use a destroyed object */
    hd_take_effect(o, HD_EV_SEM_DESTROY, 0);
    hd_object_destroyed(o);
    hd_done(0, 0);
    return 0;
}

HD_EXPORT int sem_post(sem_t *s)
{
    if (hd.cur == NULL)
        return HD_REAL(sem_post)(s);
    struct hd_obj *o = hd_object(s, HD_OBJ_SEM);

    hd_op(HD_EV_SEM_POST, o, NULL, HD_PC);
    if (o->sync.count == SEM_VALUE_MAX)
        return refuse(EOVERFLOW);
    hd_take_effect(o, HD_EV_SEM_POST, 0);
    hd_done(0, 0); /* posts commute, so the event must not show their order */
    return 0;
}

/* A wait for which a fault is injected: it ends with EINTR unless the semaphore is available at its
 * turn. */
static int wait_or_end(struct hd_obj *o, uint64_t pc)
{
    hd_entry.rsp = 0; /* the caller's registers are not those of a polling stub */
    if (!hd_op_ends(HD_EV_SEM_TIMEDWAIT, o, HD_WAIT_RESTARTS, pc))
        return fail(EINTR);
    if (hd_can(o, HD_EV_SEM_TIMEDWAIT))
        return take(o);
    refuse(o->sync.done ? EINVAL : EINTR);
    hd_cancel_point();
    return -1;
}

HD_EXPORT int sem_wait(sem_t *s)
{
    if (hd.cur == NULL)
        return HD_REAL_WAIT(sem_wait)(s);
    hd_cancel_point();
    struct hd_obj *o = hd_object(s, HD_OBJ_SEM);

    if (hd_fault(HD_FAULT_EINTR, o, HD_PC))
        return wait_or_end(o, HD_PC);
    if (!hd_op_ends(HD_EV_SEM_WAIT, o, HD_WAIT_RESTARTS, HD_PC))
        return fail(EINTR);
    while (!hd_can(o, HD_EV_SEM_WAIT)) { /* enabled by cancellation or destroy only */
        if (o->sync.done)
            return refuse(EINVAL);
        hd_done(0, HD_EVF_FAILED);
        hd_cancel_point();
        if (!hd_op_ends(HD_EV_SEM_WAIT, o, HD_WAIT_RESTARTS, HD_PC))
            return fail(EINTR);
    }
    return take(o);
}

HD_POLL_ENTRY(sem_trywait);
int hd_impl_sem_trywait(sem_t *s)
{
    if (hd.cur == NULL)
        return HD_REAL_WAIT(sem_trywait)(s);
    struct hd_obj *o = hd_object(s, HD_OBJ_SEM);

    if (hd_fault(HD_FAULT_TRYLOCK, o, HD_PC))
        return fail(EAGAIN);
    hd_op(HD_EV_SEM_TRYWAIT, o, NULL, HD_PC);
    return hd_can(o, HD_EV_SEM_TRYWAIT) ? take(o) : refuse(EAGAIN);
}

static int timed_wait(sem_t *s, clockid_t clock, const struct timespec *until, uint64_t pc)
{
    if (!hd_clock_waits(clock) || !hd_time_valid(until))
        return fail(EINVAL);
    hd_cancel_point();
    struct hd_obj *o = hd_object(s, HD_OBJ_SEM);

    if (hd_fault(HD_FAULT_EINTR, o, pc))
        return wait_or_end(o, pc);
    hd_time_limits(clock, until);
    /* libc waits by a futex with a time limit, which the kernel never restarts */
    if (!hd_op_ends(HD_EV_SEM_TIMEDWAIT, o, HD_WAIT_ENDS, pc))
        return fail(EINTR);
    if (hd_can(o, HD_EV_SEM_TIMEDWAIT))
        return take(o);
    if (!hd_thread_is_cancelled(hd.cur))
        hd_time_reach(clock, hd_time_ns(until));
    refuse(ETIMEDOUT);
    hd_cancel_point();
    return -1;
}

HD_POLL_ENTRY(sem_timedwait);
int hd_impl_sem_timedwait(sem_t *s, const struct timespec *until)
{
    if (hd.cur == NULL)
        return HD_REAL_WAIT(sem_timedwait)(s, until);
    return timed_wait(s, CLOCK_REALTIME, until, HD_PC);
}

HD_POLL_ENTRY(sem_clockwait);
int hd_impl_sem_clockwait(sem_t *s, clockid_t clock, const struct timespec *until)
{
    if (hd.cur == NULL)
        return HD_REAL_WAIT(sem_clockwait)(s, clock, until);
    return timed_wait(s, clock, until, HD_PC);
}

HD_POLL_ENTRY(sem_getvalue);
int hd_impl_sem_getvalue(sem_t *s, int *value)
{
    if (hd.cur == NULL)
        return HD_REAL(sem_getvalue)(s, value);
    struct hd_obj *o = hd_object(s, HD_OBJ_SEM);

    hd_op(HD_EV_SEM_GETVALUE, o, NULL, HD_PC);
    *value = (int)o->sync.count;
    hd_done(o->sync.count, 0);
    hd_range_of_call(value, sizeof *value, true, HD_PC);
    return 0;
}
