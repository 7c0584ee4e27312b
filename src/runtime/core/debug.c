/* SPDX-License-Identifier: BSD-2-Clause
 *
 * debug.c - support for a debugger: fibers on kernel threads, the stops, and the table of fields
 * that the debugger reads.  See debug.h. */

#include "runtime/core/debug.h"

#include <linux/futex.h>
#include <signal.h>

#include "base/sys.h"
#include "runtime/core/callbacks.h"
#include "runtime/core/fatal_signals.h"
#include "runtime/core/object.h"
#include "runtime/core/state.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/mem.h"
#include "wire/wire.h"

#define NOBODY UINT32_MAX
#define NEVER UINT32_MAX

struct row {
    char name[24];
    uint64_t value;
};

/* D3.  The extension (src/gdb/heddle/runtime.py, HEAD) reads and writes these fields by position.
 * It finds everything else in the rows. */
struct heddle_debug {
    uint32_t version;
    uint32_t nrows;
    const struct row *rows;
    uint32_t reason;         /* enum hd_debug_reason of the last stop */
    uint32_t stop_at;        /* set by the debugger: stop after this number of steps */
    uint32_t stop_at_switch; /* set by the debugger: stop when another thread comes next */
    uint32_t steps;          /* steps before the last finding or the requested step */
    const char *kind;        /* kind of the last finding */
    const char *message;     /* message of the last finding */
};

HD_EXPORT struct heddle_debug heddle_debug = { .version = 1, .stop_at = NEVER };

/* The kernel threads, by slot. */
static struct carrier {
    uint32_t turn; /* futex: 1 when the thread gets the turn */
    int32_t lwp;   /* its kernel thread id */
    uint64_t sp;   /* stack pointer with which it continues */
} carriers[HD_MAX_THREADS];

static unsigned holder;       /* slot of the thread with the turn */
static uint64_t carried_mask; /* signal mask of the thread with the turn */
static bool arriving;         /* stop as soon as the next thread has the turn */
unsigned char hd_debug_on __attribute__((visibility("hidden")));

/* ---- stopping ------------------------------------------------------------------------ */

extern void heddle_debug_stop(void);

/* The debugger sets its breakpoint here. */
HD_EXPORT __attribute__((noinline)) void heddle_debug_stop(void)
{
    __asm__ volatile("nop");
}

void hd_debug_stop(enum hd_debug_reason reason)
{
    arriving = false;
    heddle_debug.reason = reason;
    heddle_debug_stop();
    __asm__ volatile("nop" : : : "memory"); /* prevents a tail call: the debugger shows this frame */
}

static uint32_t recorded_next(void)
{
    const struct hd_wire *w = hd.wire;
    uint32_t step = hd.exec->nsteps;

    if (step >= w->nrecorded)
        return NOBODY;
    if (w->recorded[step].alternatives != 0) /* a choice, which the running thread makes */
        return hd.cur != NULL ? hd.cur->tid : NOBODY;
    return w->recorded[step].chosen;
}

/* D2: if another thread makes the requested step, the stop waits until that thread has the turn. */
void hd_debug_step(void)
{
    uint32_t next = recorded_next();
    bool switches = next != NOBODY && hd.cur != NULL && next != hd.cur->tid;

    if (hd.exec->nsteps < heddle_debug.stop_at && !(heddle_debug.stop_at_switch && switches))
        return;
    heddle_debug.stop_at = NEVER;
    heddle_debug.stop_at_switch = 0;
    heddle_debug.steps = hd.exec->nsteps;
    if (switches)
        arriving = true;
    else
        hd_debug_stop(HD_DEBUG_STEP);
}

void hd_debug_found(const struct hd_finding *f)
{
    heddle_debug.kind = hd_finding_kind_text((enum hd_finding_kind)f->kind);
    heddle_debug.message = f->message;
    heddle_debug.steps = f->step;
    hd_debug_stop(HD_DEBUG_FOUND);
}

/* ---- the turn ------------------------------------------------------------------------ */

static void block_signals(void)
{
    uint64_t all = ~hd_fatal_signals_set();

    hd_sys6(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, (long)&carried_mask, 8, 0, 0);
}

static uint64_t arrive(uint64_t sp)
{
    if (arriving)
        hd_debug_stop(HD_DEBUG_STEP);
    return sp;
}

uint64_t hd_debug_wait(unsigned slot)
{
    struct carrier *me = &carriers[slot];

    while (__atomic_exchange_n(&me->turn, 0, __ATOMIC_ACQUIRE) == 0)
        hd_sys6(SYS_futex, (long)&me->turn, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
    hd_sys6(SYS_rt_sigprocmask, SIG_SETMASK, (long)&carried_mask, 0, 8, 0, 0);
    return arrive(me->sp);
}

uint64_t hd_debug_pass(uint64_t sp)
{
    unsigned me = holder, to = hd.cur != NULL ? hd.cur->slot : 0;

    if (to == me)
        return arrive(sp);
    block_signals();
    carriers[to].sp = sp;
    holder = to;
    __atomic_store_n(&carriers[to].turn, 1, __ATOMIC_RELEASE);
    hd_sys(SYS_futex, &carriers[to].turn, FUTEX_WAKE_PRIVATE, 1);
    return hd_debug_wait(me);
}

void hd_debug_donor(unsigned slot)
{
    hd_fatal_signals_use_stack();
    hd_callbacks.kernel_thread();
    carriers[slot].lwp = (int32_t)hd_sys(SYS_gettid, 0, 0, 0);
}

/* ---- the table ----------------------------------------------------------------------- */

#define AT(name, place) { name, (uint64_t)(uintptr_t)(place) }
#define IN(type, field) { #type "." #field, offsetof(struct hd_##type, field) }
#define SIZE(type) { #type, sizeof(struct hd_##type) }

void hd_debug_init(void)
{
    static struct row rows[64];
    const struct row now[] = {
        AT("cur", &hd.cur), { "hot", offsetof(struct hd_rt, fuel) + sizeof hd.fuel },
        AT("enabled", &hd.point.enabled), AT("all_threads", hd.thread),
        AT("exec", hd.exec), AT("all_events", hd.exec->events),
        AT("all_objects", hd.wire->common->objects), AT("all_kinds", hd_kind_info),
        AT("carriers", carriers), AT("nrecorded", hd.wire->nrecorded),
        { "carrier", sizeof(struct carrier) }, { "carrier.lwp", offsetof(struct carrier, lwp) },
        SIZE(thread), IN(thread, tid), IN(thread, slot), IN(thread, fn), IN(thread, obj),
        { "thread.parked", offsetof(struct hd_thread, loop.parked) },
        { "thread.stopped", offsetof(struct hd_thread, loop.stopped) },
        { "obj.owner", offsetof(struct hd_obj, sync.owner) }, IN(obj, addr),
        IN(execution, nsteps), IN(execution, nevents), IN(execution, nthreads),
        IN(execution, ending), IN(execution, diverged_step),
        IN(execution, pending), IN(execution, threads),
        SIZE(thread_info), IN(thread_info, state), IN(thread_info, name),
        SIZE(event), IN(event, tid), IN(event, kind), IN(event, flags), IN(event, peer),
        IN(event, obj), IN(event, pc), IN(event, value),
        SIZE(object_info), IN(object_info, addr), IN(object_info, type),
        SIZE(kind_info), IN(kind_info, name), IN(kind_info, text), { "nkinds", HD_EV_COUNT },
    };

    _Static_assert(sizeof now <= sizeof rows, "room for the table");
    hd_mem_copy(rows, now, sizeof now);
    heddle_debug.rows = rows;
    heddle_debug.nrows = sizeof now / sizeof *now;
    hd_debug_on = 1;
    carriers[0].lwp = (int32_t)hd_sys(SYS_gettid, 0, 0, 0);
}
