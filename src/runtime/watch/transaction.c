/* SPDX-License-Identifier: BSD-2-Clause
 *
 * transaction.c - begin, end and abort of transactions.  Only one thread is in a transaction at a time (T1), so its
 * state is one static variable. tx_log.c handles the accesses. */
#include "runtime/watch/transaction.h"

#include "base/check.h"
#include "base/hash.h"
#include "runtime/core/callbacks.h"
#include "runtime/core/call_stack.h"
#include "runtime/core/entry.h"
#include "runtime/core/execution.h"
#include "runtime/core/fiber.h"
#include "runtime/core/gate.h"
#include "runtime/core/ledger.h"
#include "runtime/core/operation.h"
#include "runtime/core/selector.h"
#include "runtime/core/state.h"
#include "runtime/progress/loop.h"
#include "runtime/progress/poll.h"
#include "runtime/report/finding.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/mem.h"
#include "runtime/sys/text.h"
#include "runtime/watch/detectors.h"
#include "runtime/watch/tx_conflict.h"
#include "runtime/watch/tx_cpuid.h"
#include "runtime/watch/tx_log.h"
#include "runtime/watch/tx_outcome.h"
#include "runtime/watch/tx_sites.h"
#include "runtime/watch/tx_state.h"
#include "runtime/watch/tx_undo.h"
#include "runtime/watch/tx_weak.h"
#include "wire/wire.h"

enum {
    SKIPPED = 2,          /* size of the jump after the call of the begin, which an abort skips */
    UNUSED = 136,         /* size of the return address and the red zone; compiled code that calls the runtime
                           * keeps nothing there */
};

struct hd_tx_state hd_tx;
uint8_t hd_tx_active;
bool hd_tx_used;

/* The last abort outside of a transaction in this execution; pc 0: none. */
static struct {
    uint64_t pc;
    hd_tid tid;
} outside;

static void start(void)
{
    hd_tx.stack = hd_mem_map(0, HD_TX_DEEPEST, PROT_READ | PROT_WRITE);
    hd_tx.abort_stack = hd_mem_map(0, HD_TX_ABORT_STACK, PROT_READ | PROT_WRITE);
    HD_INVARIANT(hd_tx.stack != NULL && hd_tx.abort_stack != NULL, "no memory for transactions");
    hd_tx_log_start();
    hd_tx_conflict_start();
}

static void begin(void)
{
    hd_tx_active = 0;
    hd_selector_of_libc = HD_OPEN;
    outside.pc = 0;
    if (!hd_tx_used)
        return;
    if (hd_tx.stack == NULL)
        start();
    hd_tx_outcome_begin();
    hd_tx_weak_reset();
    hd.access_mode |= HD_MODE_UNITS;
    hd.writes = 0;
}

/* The start code of the program calls this once for each object with transactional instructions. */
void heddle_rt_transactions(void);

HD_EXPORT void heddle_rt_transactions(void)
{
    hd_tx_used = true;
    if (hd.cfg != NULL)
        hd_tx_cpuid_ban(); /* the object was loaded after the start */
}

/* ---- begin ------------------------------------------------------------------------------------ */

static void go_on_aborted(struct hd_tx_frame *f, uint32_t status)
{
    f->rax = status;
    f->rip += SKIPPED;
}

static void keep_calls(void)
{
    unsigned n = 0;

    hd_tx.calls = hd.calls;
    for (; n < HD_TX_CALLS && hd.calls[-(int)n - 1].sp != UINT64_MAX; n++)
        hd_tx.call[n] = hd.calls[-(int)n - 1];
    if (n < HD_TX_CALLS)
        hd_tx.call[n].sp = 0; /* the entry after the last one */
}

static void put_calls_back(void)
{
    hd.calls = hd_tx.calls;
    for (unsigned n = 0; n < HD_TX_CALLS && hd_tx.call[n].sp != 0; n++)
        hd.calls[-(int)n - 1] = hd_tx.call[n];
}

/* The exceptions of the C++ library that the running thread handles, and that are in flight. */
struct hd_tx_exceptions *__cxa_get_globals(void) __attribute__((weak));

static void keep_exceptions(void)
{
    if (__cxa_get_globals != NULL)
        hd_tx.exceptions = *__cxa_get_globals();
}

static void put_exceptions_back(void)
{
    if (__cxa_get_globals != NULL)
        *__cxa_get_globals() = hd_tx.exceptions;
}

void hd_tx_save(const struct hd_thread *t, struct hd_tx_frame *f, uintptr_t lowest)
{
    hd_tx.frame = f;
    hd_tx.lowest = lowest;
    hd_tx.size = t->stack_hi - lowest;
    hd_mem_copy(hd_tx.stack, (const void *)lowest, hd_tx.size);
    keep_calls();
    keep_exceptions();
    hd_tx_log_begin();
}

void hd_tx_put_back(void)
{
    hd_mem_copy((void *)hd_tx.lowest, hd_tx.stack, hd_tx.size);
    put_calls_back();
    put_exceptions_back();
}

/* Enters the transaction: saves everything that an abort must restore. */
static void enter(struct hd_thread *t, struct hd_tx_frame *f, uintptr_t lowest)
{
    hd_tx.depth = 1;
    hd_tx.irrevocable = false;
    hd_tx.nesting = (struct hd_tx_nesting){ .any = false };
    hd_tx.stores = hd.stores;
    hd_tx_save(t, f, lowest);
    hd_tx_undo_begin(t);
    hd_tx.races = hd.races;
    hd.races = false; /* the accesses are checked at the end, from the log */
    hd.access_mode |= HD_MODE_TX;
    hd.writes = 0;
    t->in_section = HD_IN_TRANSACTION;
    hd_selector_of_libc = HD_CLOSED;
    hd_tx_active = 1;
}

void hd_tx_begin_nested(void)
{
    if (hd_tx.depth++ == 1) {
        hd_tx_log_mark(HD_TX_BEFORE_BEGIN);
        hd_tx.nesting.begin = hd.exec->nevents;
    }
    hd_tx.nesting.any = true;
}

/* Returns true if the transaction cannot run, whatever the search chooses. */
static bool is_refused(const struct hd_thread *t, uintptr_t lowest)
{
    if (t == NULL || hd.cfg->tm == HD_TM_OFF)
        return true;
    if (t->in_section)
        hd_uncontrolled("a transaction inside an atomic section (heddle_atomic_begin) is aborted");
    else if (t->stack_hi - lowest > HD_TX_DEEPEST)
        hd_uncontrolled("a transaction begins below more than 256 KB of stack: it is aborted");
    else
        return false;
    return true;
}

void hd_tx_begin_step(struct hd_thread *t, struct hd_tx_frame *f, uintptr_t lowest, uint64_t regs, bool gnu)
{
    uint64_t pc = f->rip;

    t->loop.expected = hd_hash_mix(t->loop.expected, regs);
    hd_op(HD_EV_TX_BEGIN, NULL, NULL, pc);
    hd_tx.gnu = gnu;
    hd_tx.pc = pc;
    hd_tx.event = hd.exec->nevents;
    hd_done(0, HD_EVF_FAILED); /* counts as a poll if the transaction does not commit */
    enter(t, f, lowest);
}

void hd_tx_begin(struct hd_tx_frame *f, uintptr_t lowest)
{
    struct hd_thread *t = hd.cur;

    if (hd_tx_active) {
        hd_tx_begin_nested();
        return;
    }
    if (is_refused(t, lowest)) {
        go_on_aborted(f, 0);
        return;
    }
    hd_entry.frame = 0;
    hd_entry.unused = UNUSED;
    hd_tx_site(f->rip, false);
    uint64_t regs = hd_tx_registers(f);
    uint32_t status;

    if (hd_tx_outcome_at_begin(t, f->rip, regs, lowest, &status)) {
        hd.fuel = HD_FUEL;
        hd_entry.rsp = hd_entry.unused = 0;
        hd_tx_site(f->rip, true);
        go_on_aborted(f, status);
        return;
    }
    hd_tx_begin_step(t, f, lowest, regs, false);
}

/* ---- end ---------------------------------------------------------------------------------------- */

static void leave(struct hd_thread *t)
{
    hd_tx_active = 0;
    hd_selector_of_libc = HD_OPEN;
    t->in_section = 0;
    hd.access_mode &= ~(uint32_t)HD_MODE_TX;
    hd.races = hd_tx.races;
    hd.fuel = HD_FUEL;
}

static void go_on_inside(struct hd_thread *t)
{
    hd.races = false;
    hd.access_mode |= HD_MODE_TX;
    t->in_section = HD_IN_TRANSACTION;
    hd_selector_of_libc = HD_CLOSED;
    hd_tx_active = 1;
}

/* True if another thread's step may abort the running transaction (T8). */
static bool has_conflicts(void)
{
    return !hd_tx.gnu && hd_tx_tries_conflicts();
}

/* Call when a nested transaction has ended or is aborted. */
static void end_nested(void)
{
    hd_tx_log_mark(HD_TX_BEFORE_END);
    hd_tx.nesting.end = hd.exec->nevents;
}

/* T8: call when the body is over and its accesses are recorded.  Returns whether the search decides that the
 * transaction was aborted before its end, and sets the status. */
static bool was_aborted(struct hd_thread *t)
{
    if (!has_conflicts())
        return false;
    leave(t); /* a choice is a separate step */
    hd_tx.nesting.open = hd_tx.depth > 1;
    bool aborted = hd_tx_outcome_at_end(hd_tx.event, hd_tx.pc, &hd_tx.nesting, &hd_tx.status);

    go_on_inside(t);
    return aborted;
}

static _Noreturn void abort_now(void);

void hd_tx_commit(struct hd_thread *t, uint64_t pc)
{
    uint32_t from = hd_tx.event + 1;

    hd.exec->events[hd_tx.event].flags &= (uint8_t)~HD_EVF_FAILED;
    hd_tx_log_record(true);
    uint32_t end = hd.exec->nevents;

    if (was_aborted(t))
        hd_run_on(hd_tx.abort_stack + HD_TX_ABORT_STACK - 64, abort_now);
    hd_tx_undo_commit();
    leave(t);
    hd_tx_undo_events(t, from, true, true);
    if (hd.races)
        hd_tx_undo_order(t, from, end, false);
    if (hd_tx_log_settle(true)) {
        t->progress++;
        hd.progress++;
    }
    if (hd.races)
        hd_tx_undo_order(t, from, end, true);
    hd_note(HD_EV_TX_END, NULL, 0, pc);
    hd_tx_outcome_committed(t->tid);
}

void hd_tx_end(struct hd_tx_frame *f)
{
    if (hd.cur == NULL)
        return;
    if (!hd_tx_active) {
        hd_fail(HD_FK_TM_MISUSE, f->rip, "T%u ends a transaction (xend) and is in none", hd.cur->tid);
        return;
    }
    if (--hd_tx.depth == 0)
        hd_tx_commit(hd.cur, f->rip);
    else
        end_nested();
}

void hd_tx_leave(void)
{
    struct hd_thread *t = hd.cur;

    if (hd_tx_active)
        hd_tx_commit(t, hd_tx.pc);
}

/* ---- abort -------------------------------------------------------------------------------------- */

void hd_tx_look_for_others(const struct hd_thread *t, bool locks)
{
    const struct hd_execution *x = hd.exec;
    char text[200];

    for (uint32_t i = hd_tx.event + 1; i < x->nevents; i++) {
        const struct hd_event *e = &x->events[i];

        if (e->tid != t->tid || e->kind == HD_EV_TOUCH || e->kind == HD_EV_FENCE || e->kind == HD_EV_TX_READ ||
            e->kind == HD_EV_TX_WRITE || e->kind == HD_EV_PLAIN_READ || e->kind == HD_EV_PLAIN_WRITE ||
            e->flags & HD_EVF_CHOICE || (!locks && hd_tx_joins((enum hd_kind)e->kind)))
            continue;
        hd_format(text, sizeof text, "'%s' inside a transaction that aborts itself is not undone",
                  hd_kind_info[e->kind].text);
        hd_uncontrolled(text);
    }
}

static void record_abort(struct hd_thread *t)
{
    struct hd_event end = { .tid = t->tid, .kind = HD_EV_TX_END, .flags = HD_EVF_FAILED, .peer = HD_NO_TID,
                            .pc = hd_tx.pc, .value = hd_tx.status };

    hd.exec->events[hd_tx.event].value = hd_tx.status;
    hd_tx_log_settle(false);
    hd_gate_make_room();
    hd_gate_record(&end, NULL);
}

/* Undoes the body of the transaction (T3).  Runs on a separate stack, because it restores the thread's own. */
static _Noreturn void abort_now(void)
{
    struct hd_thread *t = hd.cur;

    hd_tx_look_for_others(t, false);
    hd_tx_log_undo(t->stack_lo, hd_tx.lowest);
    hd_tx_put_back();
    hd_tx_undo_abort(t);
    hd_tx_undo_events(t, hd_tx.event + 1, false, has_conflicts());
    hd.stores = hd_tx.stores;
    t->new_pc = 0;
    t->new_next = 0;
    leave(t);
    record_abort(t);
    hd_tx_outcome_aborted(t->tid);
    if (hd_tx.gnu) {
        hd_tx.frame->rax = HD_ITM_ABORTED;
    } else {
        hd_tx_site(hd_tx.pc, true);
        go_on_aborted(hd_tx.frame, hd_tx.status);
    }
    hd_tx_resume(hd_tx.lowest, hd_tx.frame);
}

_Noreturn void hd_tx_abort_with(uint32_t status)
{
    if (hd_tx.depth > 1)
        end_nested();
    hd_tx.status = status | (hd_tx.depth > 1 ? HD_TX_NESTED : 0);
    hd_tx_log_record(has_conflicts());
    (void)was_aborted(hd.cur);
    hd_run_on(hd_tx.abort_stack + HD_TX_ABORT_STACK - 64, abort_now);
}

void hd_tx_abort(struct hd_tx_frame *f)
{
    if (!hd_tx_active && hd.cur != NULL) {
        outside.pc = f->rip;
        outside.tid = hd.cur->tid;
    }
    if (hd_tx_active)
        hd_tx_abort_with(HD_TX_EXPLICIT | (uint32_t)(f->operand & 0xff) << 24);
}

/* libitm would repeat a transaction that has to wait, as if it had begun later.  Here the execution ends. */
static _Noreturn void cannot_wait(enum hd_kind kind)
{
    char text[200];

    hd_format(text, sizeof text, "'%s' inside a transaction of GNU TM is not supported: cut there", hd_kind_info[kind].text);
    hd_execution_cut(text);
}

/* True if a processor always aborts a transaction that does this, because the operation calls the kernel or has to
 * wait. */
static bool aborts_for_sure(const struct hd_thread *t, enum hd_kind kind)
{
    const struct hd_kind_info *k = &hd_kind_info[kind];

    return (k->traits & HD_TRAIT_YIELDS) || hd_kind_is_io(kind) || k->obj == HD_OBJ_FUTEX ||
           k->obj == HD_OBJ_TIMER || k->obj == HD_OBJ_PROCESS || kind == HD_EV_SIGNAL ||
           kind == HD_EV_THREAD_CREATE || kind == HD_EV_COND_WAIT || !hd_set_has(&hd.point.enabled, t->tid);
}

/* Records the operation as a failing attempt, so that the step depends on its object. */
static void record_blocked(struct hd_thread *t)
{
    struct hd_event e = { .tid = t->tid, .kind = HD_EV_TOUCH, .peer = HD_NO_TID,
                          .obj = t->obj != NULL ? t->obj->id : 0, .pc = hd_pending()->pc };

    if (t->obj == NULL)
        return;
    hd_gate_make_room();
    hd_gate_record(&e, t->obj);
}

/* The operation of a GNU TM transaction takes place, and is never undone. */
static void take_place(const char *what, uint64_t pc)
{
    if (hd_tx.atomic)
        hd_fail(HD_FK_TM_MISUSE, pc, "T%u does '%s' inside an atomic transaction: it cannot be undone", hd.cur->tid, what);
    hd_tx.irrevocable = true;
}

void hd_tx_operation(struct hd_thread *t)
{
    enum hd_kind kind = (enum hd_kind)hd_pending()->kind;
    bool joins = hd_tx_joins(kind);
    char text[200];

    hd_tx_log_record_reads(); /* the operation may depend on what was read */
    if (joins && hd_set_has(&hd.point.enabled, t->tid)) {
        if (hd_tx_undo_keep(t->obj))
            return;
        hd_uncontrolled("a transaction uses more than 64 locks and semaphores: it is aborted");
    } else if (hd_tx.gnu && hd_set_has(&hd.point.enabled, t->tid)) {
        take_place(hd_kind_info[kind].text, hd_pending()->pc);
        return;
    } else if (hd_tx.gnu) {
        cannot_wait(kind);
    } else if (!aborts_for_sure(t, kind)) {
        hd_format(text, sizeof text, "'%s' inside a transaction is not supported: it aborts the transaction",
                  hd_kind_info[kind].text);
        hd_uncontrolled(text);
    }
    record_blocked(t);
    hd_gate_withdraw(t);
    hd_tx_abort_with(0);
}

void hd_tx_system_call(uint64_t pc)
{
    if (!hd_tx.gnu)
        hd_tx_abort_with(0);
    take_place("system call", pc);
}

static const char many_blocks[] = "a transaction allocates or frees more than 64 blocks: it is aborted";

void hd_tx_allocated(void *p)
{
    if (hd_tx_undo_allocated(p))
        return;
    hd_uncontrolled(many_blocks);
    hd_tx_abort_with(0);
}

void hd_tx_frees(void *p, size_t size, uint64_t pc)
{
    hd_tx_access((uintptr_t)p, size, true, pc);
    if (hd_tx_undo_freed(p, pc))
        return;
    hd_uncontrolled(many_blocks);
    hd_tx_abort_with(0);
}

void hd_tx_access(uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    if (hd.fuel < 0 && hd_tx.gnu)
        hd_execution_cut("a transaction of GNU TM does not end: cut there");
    if (hd.fuel < 0)
        hd_tx_abort_with(0); /* an endless loop, which an interrupt would abort */
    if (hd_tx_log_add(addr, size, write, pc))
        return;
    if (hd_tx.gnu)
        hd_execution_cut("a transaction of GNU TM touches too much memory: cut there");
    if (!hd_tx_log_is_over_capacity())
        hd_uncontrolled("a transaction touches more than 32 KB: it is aborted");
    hd_tx_abort_with(HD_TX_CAPACITY);
}

/* ---- the end of an execution -------------------------------------------------------------------- */

static HD_COLD void warn_of_abort_outside(void)
{
    struct hd_finding f = { .warning = HD_WARN_TM_ABORT_OUTSIDE, .tid = outside.tid, .pc = outside.pc,
                            .signature = hd_hash_mix(outside.pc, HD_WARN_TM_ABORT_OUTSIDE) };

    hd_finding_warn(&f, NULL, 0);
}

static void end(void)
{
    if (HD_UNLIKELY(outside.pc != 0))
        warn_of_abort_outside();
}

const struct hd_detector hd_detector_transaction = { .begin = begin, .end = end };
