/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread.c - a logical thread from its creation on.  Its end is in thread_end.c.
 *
 * T1  A thread's id is its creation order in this execution.  Its slot is determined by its name (parent's slot, nth
 *     child) and is the same in every execution.
 * T2  The trampoline has registered an unwind buffer, so that libc's real pthread_exit runs cleanup
 *     handlers, C++ destructors and catch blocks and then returns to the trampoline.  Registering
 *     writes to the TCB.  So it is done once per slot and becomes part of the snapshot: a fiber's
 *     first frame has the same address and layout every time. */

#include "runtime/core/thread.h"
#include "base/rules.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>

#include "base/check.h"
#include "runtime/core/callbacks.h"
#include "runtime/core/entry.h"
#include "runtime/core/event_words.h"
#include "runtime/core/execution.h"
#include "runtime/core/fiber.h"
#include "runtime/core/gate.h"
#include "runtime/core/imports.h"
#include "runtime/core/ledger.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/mem.h"
#include "wire/wire.h"

extern int hd_sigsetjmp(struct __cancel_jmp_buf_tag *, int) __asm__("__sigsetjmp")
    __attribute__((returns_twice));

static struct hd_obj *objects[HD_MAX_THREADS]; /* by slot; NULL: not known yet */

static __attribute__((noinline)) struct hd_obj *first_object(unsigned slot)
{
    if (HD_UNLIKELY(objects[slot] == NULL))
        objects[slot] = hd_object((const void *)(uintptr_t)slot, HD_OBJ_THREAD);
    else
        hd_object_renew(objects[slot]);
    return objects[slot];
}

struct hd_obj *hd_thread_object(unsigned slot)
{
    struct hd_obj *o = objects[slot];

    return HD_LIKELY(o != NULL && o->epoch == hd.epoch) ? o : first_object(slot);
}

struct hd_thread *hd_thread_new(unsigned slot, hd_tid parent, uint16_t nth)
{
    hd_tid tid = (hd_tid)hd.exec->nthreads;
    struct hd_thread *t = &hd.thread[tid];

    for (unsigned i = 0; i < tid; i++)
        HD_CHECK(hd.thread[i].slot != slot, "T1: a slot is one thread's");
    hd_mem_zero_lines(t, sizeof *t);
    t->tid = tid;
    t->slot = (uint16_t)slot;
    t->state = HD_TH_LIVE;
    t->loop.lock_check = hd_callbacks.first_lock_visit;
    t->loop.cycle_wait = hd_callbacks.first_poll_visit;
    hd.exec->threads[tid] = (struct hd_thread_info){
        .parent = parent, .nth = nth, .slot = (uint16_t)slot, .state = HD_TH_LIVE };
    hd_fiber_prepare(t);
    return t;
}

struct hd_thread *hd_thread_main(void)
{
    struct hd_thread *t = hd_thread_new(0, 0, 0);

    t->fn = hd_callbacks.main_function;
    hd_event_set(&hd.exec->pending[0], hd_event_head(0, HD_EV_NONE, HD_NO_TID), 0, 0);
    hd_gate_add(t);
    return t;
}

/* ---- creation --------------------------------------------------------------------- */

struct hd_thread *hd_thread_spawn(struct hd_thread *parent, unsigned slot, unsigned nth,
                                  void *(*fn)(void *), void *arg, uint64_t pc)
{
    struct hd_thread *t = hd_thread_new(slot, parent->tid, (uint16_t)nth);
    struct hd_obj *o = hd_thread_object(slot);

    t->fn = fn;
    t->arg = arg;
    hd.exec->threads[t->tid].create_pc = pc;
    hd_callbacks.thread_spawned(parent, t, pc);
    /* 1 is added to the address, because every pc is taken as a return address. */
    hd_event_set(&hd.exec->pending[t->tid], hd_event_head(t->tid, HD_EV_THREAD_START, parent->tid), o->id,
                 (uint64_t)(uintptr_t)fn + 1);
    t->obj = o;
    hd_gate_add(t);
    return t;
}

struct hd_stack_request hd_stack_requested(const pthread_attr_t *attr)
{
    struct hd_stack_request wish = HD_STACK_USUAL;
    void *own = NULL;
    size_t size = 0;

    if (attr == NULL)
        return wish;
    pthread_attr_getstacksize(attr, &wish.size);
    pthread_attr_getguardsize(attr, &wish.guard);
    if (pthread_attr_getstack(attr, &own, &size) == 0 && own != NULL && (uintptr_t)own + size > size) {
        hd_mentioned("threads do not run on the stacks that the program provides (pthread_attr_setstack)");
        wish.guard = 0; /* libc adds no guard to such a stack */
    }
    if (wish.size > HD_STACK_SIZE - HD_CALLS_BYTES - HD_STACK_DEFAULT)
        hd_mentioned("stacks of more than 24 MB are cut");
    wish.guard = HD_PAGE_CEIL(wish.guard);
    return wish;
}

/* At its first operation the gate switches back to the parent. */
void hd_thread_start_eagerly(struct hd_thread *t)
{
    hd.exec->pending[t->tid].kind = HD_EV_NONE;
    t->obj = NULL;
    hd.eager = 1;
    hd.eager_parent = hd.cur;
    hd_fiber_switch(hd.cur, t);
}

int hd_thread_create(uint64_t *self, bool detached, struct hd_stack_request stack, void *(*fn)(void *),
                     void *arg, uint64_t pc)
{
    unsigned slot = hd_fiber_slot(hd.cur->slot, hd.cur->children);

    if (hd.exec->nthreads >= HD_MAX_THREADS)
        hd_execution_cut("more than 1,280 threads in one execution: cut where the next one is created");
    if (slot >= HD_MAX_THREADS)
        hd_execution_cut("more than 1,280 different threads in all executions: cut where the next one is created");
    if (!hd_fiber_provide(slot)) {
        hd_uncontrolled("no memory for another thread: pthread_create fails with EAGAIN");
        return EAGAIN;
    }
    hd_op(HD_EV_THREAD_CREATE, hd_thread_object(slot), NULL, pc);
    struct hd_thread *t = hd_thread_spawn(hd.cur, slot, hd.cur->children++, fn, arg, pc);

    t->detached = detached;
    t->stack_size = stack.size;
    t->guard_size = stack.guard;
    *self = t->self;
    hd_event_set_peer(hd_pending(), t->tid);
    if (detached) /* a narrow store only where needed: see hd_event_set */
        hd_pending()->aux = true; /* a join fails at once, whatever the thread does */
    hd_done(t->tid, 0);
    hd_callbacks.thread_created(pc);
    if (hd.cfg->study)
        hd_thread_start_eagerly(t);
    return 0;
}

/* Returns the thread with this pthread_t.  Threads are mostly joined in the order of their creation, which makes
 * the search short. */
struct hd_thread *hd_thread_find(uint64_t self)
{
    static unsigned last;
    unsigned n = hd.exec->nthreads;

    if (last + 1 < n && hd.thread[last + 1].self == self)
        return &hd.thread[++last];
    for (unsigned i = 0; i < n; i++)
        if (hd.thread[i].self == self) {
            last = i;
            return &hd.thread[i];
        }
    return NULL;
}

/* ---- thread_local destructors ----------------------------------------------------- */

struct tls_dtor {
    void (*fn)(void *);
    void *obj;
    struct tls_dtor *next;
};

extern int __cxa_thread_atexit_impl(void (*fn)(void *), void *obj, void *dso);

HD_EXPORT int __cxa_thread_atexit_impl(void (*fn)(void *), void *obj, void *dso)
{
    if (hd.cur == NULL)
        return HD_REAL(__cxa_thread_atexit_impl)(fn, obj, dso);
    struct tls_dtor *d = malloc(sizeof *d);

    if (d == NULL)
        return -1;
    *d = (struct tls_dtor){ fn, obj, hd.cur->tls_dtors };
    hd.cur->tls_dtors = d;
    return 0;
}

void hd_thread_run_tls_dtors(void)
{
    struct tls_dtor *d;

    while ((d = hd.cur->tls_dtors) != NULL) {
        struct tls_dtor now = *d;

        hd.cur->tls_dtors = now.next;
        free(d);
        now.fn(now.obj);
    }
}

static void register_buffer(void *buf)
{
    __pthread_register_cancel(buf);
}

/* Zeroes the stack below the caller's frame: values that the runtime has left there must not become part of the
 * target's frames, whose contents progress/await.c compares between executions.  Pages that were never written are
 * zero and must not be written, because each written page costs time in every execution (F3). */
static __attribute__((noinline)) void clear_below(void)
{
    uintptr_t lo = hd_fiber_written_from(hd.cur->slot), sp;

    __asm__ volatile("movq %%rsp, %0" : "=r"(sp));
    if (lo < sp)
        hd_mem_zero((void *)lo, sp - lo);
}

/* The first and last C function on every fiber.  hd_fiber_entry calls it. */
void hd_fiber_main(void);
void hd_fiber_main(void)
{
    static struct {
        __pthread_unwind_buf_t buf;
    } unwind[HD_MAX_THREADS];
    static bool registered[HD_MAX_THREADS];

    if (!registered[hd.cur->slot]) {
        registered[hd.cur->slot] = true;
        if (hd_sigsetjmp(unwind[hd.cur->slot].buf.__cancel_jmp_buf, 0) != 0)
            hd_thread_end(); /* pthread_exit jumps to this place when it has finished, perhaps in a later execution */
        hd_callbacks.absorb(register_buffer, &unwind[hd.cur->slot].buf);
        clear_below();
    }
    hd_fiber_call(hd.cur->fn, hd.cur->arg, &hd.cur->frames_hi);
}

/* Called when the function of the running thread has returned. */
void hd_fiber_returned(void *value);
void hd_fiber_returned(void *value)
{
    hd.cur->retval = value;
    hd_thread_end();
}

void hd_thread_exit(void *value)
{
    hd.cur->retval = value;
    HD_REAL(pthread_exit)(value);
    __builtin_unreachable();
}

void hd_thread_failed(void)
{
    struct hd_thread *t = hd.cur;

    hd.failed = 1;
    t->state = HD_TH_FAILED;
    hd.exec->threads[t->tid].state = HD_TH_FAILED;
    if (hd.cfg->study)
        hd_execution_over(HD_END_FAILED);
    hd_gate_leave_for_good();
}

void hd_thread_stop(void)
{
    struct hd_thread *t = hd.cur;

    hd.exec->assumed++;
    t->state = HD_TH_STOPPED;
    hd.exec->threads[t->tid].state = HD_TH_STOPPED;
    hd_gate_leave_for_good();
}

static bool cancels; /* the program can cancel threads */

void hd_cancel_init(void)
{
    static const char *const names[] = { "pthread_cancel", NULL };

    cancels = hd_imports_may(names);
}

void hd_cancel_turn(void)
{
    if (!cancels || hd.cur->in_section)
        return;
    hd_entry.rsp = 0; /* do not park the thread: another thread may cancel it now */
    hd_op(HD_EV_STATE_READ, hd_thread_object(hd.cur->slot), NULL, 0);
    hd_done(0, 0);
}

void hd_cancel_point(void)
{
    struct hd_thread *t = hd.cur;

    if (t == NULL || !(cancels | t->cancel.pending) || t->cancel.state != PTHREAD_CANCEL_ENABLE)
        return;
    if (!t->cancel.pending && t->cancel.checked == hd.exec->nsteps + 1)
        hd_cancel_turn(); /* the thread has made no step since its last cancellation point */
    t->cancel.checked = hd.exec->nsteps + 1;
    if (!t->cancel.pending)
        return;
    t->cancel.state = 1; /* do not cancel it again while the cleanup handlers run */
    hd_thread_exit(PTHREAD_CANCELED);
}

void hd_cancel_passed(void)
{
    hd.cur->cancel.checked = hd.exec->nsteps + 1;
}
