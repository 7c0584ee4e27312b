/* SPDX-License-Identifier: BSD-2-Clause
 *
 * once.c - one-time initialisation: pthread_once, call_once, and the guards of C++ local statics.
 *
 * The thread that runs the routine holds the object from ONCE_BEGIN to ONCE_END.  Other threads
 * wait, and then their ONCE_BEGIN fails, which makes it a read.  If an exception, pthread_exit or
 * cancellation leaves the routine, the thread gives up its claim and the next thread runs the
 * routine.  The cleanup attribute does this, so this file is compiled with -fexceptions.
 *
 * Guards of local statics: compiled code reads the first byte of the guard before it calls the
 * runtime.  So the store to that byte is an atomic operation of its own.  The same goes for the flag
 * of std::call_once in libc++. */
#include <pthread.h>

#include "runtime/calls/intercept.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/hooks/access.h"
#include "runtime/sys/compiler.h"

#define CONTROL_DONE 2 /* what libc writes into a finished pthread_once_t */

/* Returns true if the caller must run the routine and then call finish.  Returns false if the
 * routine has already run. */
static bool claim(struct hd_obj *o, const volatile char *done, char mask, uint64_t pc)
{
    if (!o->sync.done && o->sync.owner == HD_NO_TID && (*done & mask) != 0)
        return false; /* it was done before this execution began, so it is done in every execution */
    hd_op(HD_EV_ONCE_BEGIN, o, NULL, pc);
    if ((*done & mask) != 0) { /* do not use sync.done here: the memory may contain a new object */
        o->sync.done = true;
        hd_done(0, HD_EVF_FAILED);
        return false;
    }
    o->sync.done = false;
    hd_take_effect(o, HD_EV_ONCE_BEGIN, 0);
    o->pc = pc;
    hd_done(0, 0);
    return true;
}

static void finish(struct hd_obj *o, bool done, uint64_t pc)
{
    hd_op(HD_EV_ONCE_END, o, NULL, pc);
    hd_sync_happen(&o->sync, hd_kind_change(HD_EV_ONCE_END), hd.cur->tid, !done, 0);
    hd_done(0, done ? 0 : HD_EVF_FAILED);
}

struct run {
    struct hd_obj *o;
    int *control;
    uint64_t pc;
    bool returned;
};

static void end_of_run(struct run *r)
{
    if (r->returned)
        *r->control = CONTROL_DONE;
    if (hd.cur != NULL) /* false in a child that the routine forked */
        finish(r->o, r->returned, r->pc);
}

void hd_once(int *control, void (*routine)(void), uint64_t pc)
{
    struct hd_obj *o = hd_object(control, HD_OBJ_ONCE);

    if (!claim(o, (const volatile char *)control, CONTROL_DONE, pc))
        return;
    struct run r __attribute__((cleanup(end_of_run))) = { o, control, pc, false };

    routine();
    r.returned = true;
}

HD_EXPORT int pthread_once(pthread_once_t *control, void (*routine)(void))
{
    if (hd.cur == NULL)
        return HD_REAL(pthread_once)(control, routine);
    hd_once(control, routine, HD_PC);
    return 0;
}

/* The store that compiled code reads. */
static void set_visibly(void *p, uint64_t value, unsigned size, uint64_t pc)
{
    bool visible = hd_atomic_enter(HD_EV_ATOMIC_STORE, p, size, __ATOMIC_RELEASE, pc);

    if (size == 1)
        *(volatile uint8_t *)p = (uint8_t)value;
    else
        *(volatile uint64_t *)p = value;
    if (visible)
        hd_atomic_leave(value, 0);
}

/* ---- std::call_once of libc++ ---- */

struct call {
    struct hd_obj *o;
    uint64_t *flag;
    uint64_t pc;
    bool returned;
};

static void end_of_call(struct call *c)
{
    if (c->returned && hd.cur != NULL)
        set_visibly(c->flag, UINT64_MAX, sizeof *c->flag, c->pc);
    else if (c->returned)
        *c->flag = UINT64_MAX;
    if (hd.cur != NULL)
        finish(c->o, c->returned, c->pc);
}

/* std::__1::__call_once(unsigned long volatile &, void *, void (*)(void *)) */
void _ZNSt3__111__call_onceERVmPvPFvS2_E(uint64_t *flag, void *arg, void (*routine)(void *));

HD_EXPORT void _ZNSt3__111__call_onceERVmPvPFvS2_E(uint64_t *flag, void *arg, void (*routine)(void *))
{
    if (hd.cur == NULL) {
        HD_REAL(_ZNSt3__111__call_onceERVmPvPFvS2_E)(flag, arg, routine);
        return;
    }
    struct hd_obj *o = hd_object(flag, HD_OBJ_ONCE);

    if (!claim(o, (const volatile char *)flag, CONTROL_DONE, HD_PC))
        return;
    struct call c __attribute__((cleanup(end_of_call))) = { o, flag, HD_PC, false };

    routine(arg);
    c.returned = true;
}

/* ---- guards of local statics ---- */

int __cxa_guard_acquire(uint64_t *guard);
void __cxa_guard_release(uint64_t *guard);
void __cxa_guard_abort(uint64_t *guard);

HD_EXPORT int __cxa_guard_acquire(uint64_t *guard)
{
    if (hd.cur == NULL)
        return HD_REAL(__cxa_guard_acquire)(guard);
    return claim(hd_object(guard, HD_OBJ_ONCE), (const volatile char *)guard, 1, HD_PC);
}

HD_EXPORT void __cxa_guard_release(uint64_t *guard)
{
    if (hd.cur == NULL) {
        HD_REAL(__cxa_guard_release)(guard);
        return;
    }
    set_visibly(guard, 1, 1, HD_PC);
    finish(hd_object(guard, HD_OBJ_ONCE), true, HD_PC);
}

HD_EXPORT void __cxa_guard_abort(uint64_t *guard)
{
    if (hd.cur == NULL)
        HD_REAL(__cxa_guard_abort)(guard);
    else
        finish(hd_object(guard, HD_OBJ_ONCE), false, HD_PC);
}
