/* SPDX-License-Identifier: BSD-2-Clause
 *
 * transaction.c - begin, end and abort of transactions.  Only one thread is in a transaction at a time
 * (T1), so all of this is one state.  tx_log.c has the accesses. */
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
#include "runtime/core/state.h"
#include "runtime/progress/loop.h"
#include "runtime/progress/poll.h"
#include "runtime/report/finding.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/mem.h"
#include "runtime/sys/text.h"
#include "runtime/watch/detectors.h"
#include "runtime/watch/itm_alone.h"
#include "runtime/watch/tx_conflict.h"
#include "runtime/watch/tx_log.h"
#include "runtime/watch/tx_sites.h"
#include "runtime/watch/tx_undo.h"
#include "wire/wire.h"

enum {
    MOST_ABORTS = 16,     /* T6 */
    DEEPEST = 256 * 1024, /* number of bytes of the stack that are saved at a begin */
    ABORT_STACK = 64 * 1024,
    CALLS = 16,           /* number of entries of the shadow call stack that are saved */
    SKIPPED = 2,          /* size of the jump after the call of the begin, which an abort skips */
    UNUSED = 136,         /* size of the return address and the red zone; compiled code that calls the runtime
                           * keeps nothing there */
    ITM_ABORTED = 0x10,   /* what the begin of GNU TM returns after it was cancelled */
    XMM = 160, XMM_BYTES = 256, /* offset of the vector registers in the area that the stub has saved */
};

/* Statuses of spurious aborts and of conflicts, with --tm-aborts all; otherwise only the first of each. */
static const uint32_t spurious[] = { HD_TX_RETRY, 0 };
static const uint32_t conflicts[] = { HD_TX_CONFLICT | HD_TX_RETRY, HD_TX_CONFLICT };
enum { CODES = 2 };

uint8_t hd_tx_active;
bool hd_tx_used;
uint32_t hd_tx_told;

void hd_tx_tell(void)
{
    hd_tx_told = hd.cfg->tm == HD_TM_OFF ? 0 : UINT32_C(1) << 11;
}

static struct {
    unsigned depth;   /* number of begins without an end; an abort returns to the first */
    uint64_t pc;
    uint32_t event;   /* of the begin */
    bool gnu;         /* of GNU TM */
    bool irrevocable;
    bool atomic;      /* it must never become irrevocable */
    bool nested;      /* there was a nested transaction */
    uint32_t nested_begin, nested_end; /* number of events when the last one began, and ended or was aborted */
    uint32_t status;
    bool races;       /* hd.races before */
    uint64_t stores;
    struct hd_call *calls;
    struct hd_call call[CALLS]; /* the last ones */
    uintptr_t lowest; /* lowest address of the stack that `stack` contains */
    size_t size;
    struct hd_tx_frame *frame;
    uint8_t *stack;
    uint8_t *abort_stack; /* the abort restores the thread's own stack */
} tx;

/* The last abort outside of a transaction in this execution; pc 0: none. */
static struct {
    uint64_t pc;
    hd_tid tid;
} outside;

/* The thread whose transaction was aborted last by a choice (T8). */
static hd_tid aborted_thread;

/* The last choice of each thread (T6). */
static struct choice {
    uint64_t pc; /* 0: none since its last transaction that was not aborted */
    uint64_t state, vectors, stores, progress, opaque;
    uint32_t nevents; /* after it */
    unsigned aborts; /* in a row */
} last_choice[HD_MAX_THREADS];

static void start(void)
{
    tx.stack = hd_mem_map(0, DEEPEST, PROT_READ | PROT_WRITE);
    tx.abort_stack = hd_mem_map(0, ABORT_STACK, PROT_READ | PROT_WRITE);
    HD_INVARIANT(tx.stack != NULL && tx.abort_stack != NULL, "no memory for transactions");
    hd_tx_log_start();
    hd_tx_conflict_start();
}

static void begin(void)
{
    hd_tx_active = 0;
    outside.pc = 0;
    if (!hd_tx_used)
        return;
    if (tx.stack == NULL)
        start();
    for (unsigned i = 0; i < HD_MAX_THREADS; i++)
        last_choice[i].pc = 0;
    aborted_thread = HD_NO_TID;
    hd.access_mode |= HD_MODE_UNITS;
    hd.writes = 0;
}

/* ---- the outcome ------------------------------------------------------------------------------ */

/* True if the thread has done nothing but begin transactions since its last choice. */
static bool is_quiet(const struct choice *c)
{
    return hd.fuel == HD_FUEL && hd.exec->nevents == c->nevents;
}

static uint64_t vectors(uintptr_t lowest)
{
    return hd_hash_words(0, (const void *)(lowest + XMM), XMM_BYTES / 8);
}

/* Returns a hash of the registers that a call does not preserve: here they may be in use. */
static uint64_t registers(const struct hd_tx_frame *f)
{
    uint64_t h = hd_hash_mix(hd_hash_mix(hd_hash_mix(0, f->rax), f->rcx), f->rdx);

    h = hd_hash_mix(hd_hash_mix(hd_hash_mix(h, f->rsi), f->rdi), f->r8);
    return hd_hash_mix(hd_hash_mix(hd_hash_mix(h, f->r9), f->r10), f->r11);
}

/* Returns a hash of the state that determines what the thread does next; 0: unknown. */
static uint64_t state_of(const struct hd_thread *t, uint64_t pc, uint64_t regs)
{
    struct hd_visit v = { .pc = pc };

    if (!hd_poll_entry(t, &v))
        return 0;
    return hd_hash_words(v.regs ^ regs, (const void *)v.sp, (t->stack_hi - v.sp) / 8) | 1;
}

/* True if the thread makes the same choice again.  Vector registers count only if there was no call of the runtime
 * since: a call leaves other values in them, and the compiler keeps values that are needed across it in memory. */
static bool is_again(const struct choice *c, const struct choice *now)
{
    return c->pc == now->pc && now->state != 0 && c->state == now->state && c->stores == now->stores &&
           c->progress == now->progress && c->opaque == now->opaque &&
           (c->vectors == now->vectors || !is_quiet(c));
}

static uint32_t codes(void)
{
    return hd.cfg->tm_aborts ? CODES : 1;
}

/* The choice itself is not progress of the thread: only its later operations can be. */
static uint32_t choose(struct hd_thread *t, uint64_t pc)
{
    uint64_t progress = t->progress;
    uint32_t got = hd_choose_as(HD_EV_TX_OUTCOME, codes() + 1, 0, 0, pc);

    t->progress = progress;
    if (!hd.cfg->tm_aborts)
        hd_untried(HD_UNTRIED_TX_STATUS);
    return got;
}

/* T2.  Returns 0 if the transaction is not aborted here, otherwise a number of `spurious` + 1.  A reduction
 * must find the choice in every order of independent steps (watch/fault.c).  So there it is made even
 * if one of its alternatives shows nothing new (T6), and an execution that takes that is cut. */
static uint32_t choose_abort(struct hd_thread *t, uint64_t pc, uint64_t regs, uintptr_t lowest)
{
    struct choice *c = &last_choice[t->tid];
    struct choice now = { .pc = pc, .state = state_of(t, pc, regs), .vectors = vectors(lowest),
                          .stores = hd.stores, .progress = t->progress, .opaque = t->loop.opaque,
                          .aborts = c->pc == pc ? c->aborts : 0 };
    bool again = is_again(c, &now);
    uint32_t got = 0;

    if (hd.cfg->tm == HD_TM_STM) {
        hd_untried(HD_UNTRIED_TX_SPURIOUS);
        return 0;
    }
    if (now.aborts == MOST_ABORTS) {
        hd_loop_cut(pc, MOST_ABORTS);
        return 0;
    }
    if (!again || hd.cfg->fault_past_bound)
        got = choose(t, pc);
    if (again && got != 0)
        hd_execution_over(HD_END_CUT);
    now.nevents = hd.exec->nevents;
    now.aborts += got != 0;
    *c = now;
    return got;
}

/* The start code of the program calls this once for each object with transactional instructions. */
void heddle_rt_transactions(void);

HD_EXPORT void heddle_rt_transactions(void)
{
    hd_tx_used = true;
}

/* ---- begin ------------------------------------------------------------------------------------ */

/* True if other threads' steps may abort transactions of RTM (T8). */
static bool tries_conflicts(void)
{
    return hd.cfg->tm == HD_TM_STM || hd.cfg->tm_aborts;
}

static void go_on_aborted(struct hd_tx_frame *f, uint32_t status)
{
    f->rax = status;
    f->rip += SKIPPED;
}

static void keep_calls(void)
{
    unsigned n = 0;

    tx.calls = hd.calls;
    for (; n < CALLS && hd.calls[-(int)n - 1].sp != UINT64_MAX; n++)
        tx.call[n] = hd.calls[-(int)n - 1];
    if (n < CALLS)
        tx.call[n].sp = 0; /* no more */
}

static void put_calls_back(void)
{
    hd.calls = tx.calls;
    for (unsigned n = 0; n < CALLS && tx.call[n].sp != 0; n++)
        hd.calls[-(int)n - 1] = tx.call[n];
}

/* Everything that an abort needs is saved: the body may run. */
static void enter(struct hd_thread *t, struct hd_tx_frame *f, uintptr_t lowest)
{
    tx.depth = 1;
    tx.nested = tx.irrevocable = false;
    tx.nested_end = 0;
    tx.frame = f;
    tx.lowest = lowest;
    tx.size = t->stack_hi - lowest;
    hd_mem_copy(tx.stack, (const void *)lowest, tx.size);
    tx.stores = hd.stores;
    keep_calls();
    hd_tx_log_begin();
    hd_tx_undo_begin(t);
    tx.races = hd.races;
    hd.races = false; /* the log is checked at the end */
    hd.access_mode |= HD_MODE_TX;
    hd.writes = 0;
    t->in_section = HD_IN_TRANSACTION;
    hd_tx_active = 1;
}

static void begin_nested(void)
{
    if (tx.depth++ == 1) {
        hd_tx_log_mark(HD_TX_BEFORE_BEGIN);
        tx.nested_begin = hd.exec->nevents;
    }
    tx.nested = true;
}

/* Returns true if the transaction cannot run, whatever the search chooses. */
static bool is_refused(const struct hd_thread *t, uintptr_t lowest)
{
    if (t == NULL || hd.cfg->tm == HD_TM_OFF)
        return true;
    if (t->in_section)
        hd_uncontrolled("a transaction inside an atomic section (heddle_atomic_begin) is aborted");
    else if (t->stack_hi - lowest > DEEPEST)
        hd_uncontrolled("a transaction begins below more than 256 KB of stack: it is aborted");
    else
        return false;
    return true;
}

/* The thread waits for its turn, then the body begins. */
static void begin_step(struct hd_thread *t, struct hd_tx_frame *f, uintptr_t lowest, uint64_t regs, bool gnu)
{
    uint64_t pc = f->rip;

    t->loop.expected = hd_hash_mix(t->loop.expected, regs);
    hd_op(HD_EV_TX_BEGIN, NULL, NULL, pc);
    tx.gnu = gnu;
    tx.pc = pc;
    tx.event = hd.exec->nevents;
    hd_done(0, HD_EVF_FAILED); /* counts as a poll, unless the transaction commits later */
    enter(t, f, lowest);
}

void hd_tx_begin(struct hd_tx_frame *f, uintptr_t lowest)
{
    struct hd_thread *t = hd.cur;

    if (hd_tx_active) {
        begin_nested();
        return;
    }
    if (is_refused(t, lowest)) {
        go_on_aborted(f, 0);
        return;
    }
    hd_entry.frame = 0;
    hd_entry.unused = UNUSED;
    hd_tx_site(f->rip, false);
    if (tries_conflicts() && aborted_thread != HD_NO_TID && aborted_thread != t->tid)
        hd_untried(HD_UNTRIED_TX_ABORTED);
    uint64_t regs = registers(f);
    uint32_t code = choose_abort(t, f->rip, regs, lowest);

    if (code != 0) {
        aborted_thread = t->tid;
        hd.fuel = HD_FUEL;
        hd_entry.rsp = hd_entry.unused = 0;
        hd_tx_site(f->rip, true);
        go_on_aborted(f, spurious[code - 1]);
        return;
    }
    begin_step(t, f, lowest, regs, false);
}

/* ---- end ---------------------------------------------------------------------------------------- */

static void leave(struct hd_thread *t)
{
    hd_tx_active = 0;
    t->in_section = 0;
    hd.access_mode &= ~(uint32_t)HD_MODE_TX;
    hd.races = tx.races;
    hd.fuel = HD_FUEL;
}

static void go_on_inside(struct hd_thread *t)
{
    hd.races = false;
    hd.access_mode |= HD_MODE_TX;
    t->in_section = HD_IN_TRANSACTION;
    hd_tx_active = 1;
}

/* True if another thread's step may abort the running transaction (T8). */
static bool has_conflicts(void)
{
    return !tx.gnu && tries_conflicts();
}

/* Adds the statuses, with these bits. */
static uint32_t add_statuses(uint32_t *out, uint32_t n, const uint32_t *statuses, uint32_t bits)
{
    for (uint32_t i = 0; i < codes(); i++)
        out[n++] = statuses[i] | bits;
    return n;
}

/* A nested transaction has ended, or is aborted. */
static void end_nested(void)
{
    hd_tx_log_mark(HD_TX_BEFORE_END);
    tx.nested_end = hd.exec->nevents;
}

/* T8.  The body is over, and its accesses are recorded.  Returns whether the transaction was aborted before that, and
 * sets tx.status. */
static bool was_aborted(struct hd_thread *t)
{
    uint32_t status[4 * CODES], n = 0, got;

    if (!has_conflicts())
        return false;
    struct hd_tx_cause cause = hd_tx_conflict_cause(tx.event, 0, 0), outer = cause, inner = { 0, 0 };

    if (tx.depth > 1) /* it never came out of the nested transaction */
        outer = hd_tx_conflict_cause(tx.event, HD_TX_BEFORE_BEGIN, tx.nested_begin);
    if (tx.nested)
        inner = hd_tx_conflict_cause(tx.event, HD_TX_BEFORE_END, tx.nested_end);
    if (outer.obj != 0)
        n = add_statuses(status, n, conflicts, 0);
    if (inner.obj != 0)
        n = add_statuses(status, n, conflicts, HD_TX_NESTED);
    if (tx.nested && hd.cfg->tm == HD_TM_HTM)
        n = add_statuses(status, n, spurious, HD_TX_NESTED);
    leave(t); /* a choice is a step of its own */
    /* Reports find the cause by its distance.  No object: which of several causes is the latest differs between
     * equivalent executions. */
    got = hd_choose_as(HD_EV_TX_CONFLICT, n + 1, 0, cause.obj != 0 ? hd.exec->nevents - cause.event : 0, tx.pc);
    go_on_inside(t);
    if (got == 0)
        return false;
    tx.status = status[got - 1];
    aborted_thread = t->tid;
    return true;
}

static _Noreturn void abort_now(void);

static void commit(struct hd_thread *t, uint64_t pc)
{
    uint32_t from = tx.event + 1;

    hd.exec->events[tx.event].flags &= (uint8_t)~HD_EVF_FAILED;
    hd_tx_log_record(true);
    uint32_t end = hd.exec->nevents;

    if (was_aborted(t))
        hd_run_on(tx.abort_stack + ABORT_STACK - 64, abort_now);
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
    last_choice[t->tid].pc = 0;
}

void hd_tx_end(struct hd_tx_frame *f)
{
    if (hd.cur == NULL)
        return;
    if (!hd_tx_active) {
        hd_fail(HD_FK_TM_MISUSE, f->rip, "T%u ends a transaction (xend) and is in none", hd.cur->tid);
        return;
    }
    if (--tx.depth == 0)
        commit(hd.cur, f->rip);
    else
        end_nested();
}

void hd_tx_leave(void)
{
    struct hd_thread *t = hd.cur;

    if (hd_tx_active)
        commit(t, tx.pc);
}

/* ---- abort -------------------------------------------------------------------------------------- */

/* Checks whether the body has done anything but accesses to memory: that cannot be undone. */
static void look_for_others(const struct hd_thread *t)
{
    const struct hd_execution *x = hd.exec;
    char text[200];

    for (uint32_t i = tx.event + 1; i < x->nevents; i++) {
        const struct hd_event *e = &x->events[i];

        if (e->tid != t->tid || e->kind == HD_EV_TOUCH || e->kind == HD_EV_FENCE || e->kind == HD_EV_TX_READ ||
            e->kind == HD_EV_TX_WRITE || e->flags & HD_EVF_CHOICE || hd_tx_joins((enum hd_kind)e->kind))
            continue;
        hd_format(text, sizeof text, "'%s' inside a transaction that aborts itself is not undone",
                  hd_kind_info[e->kind].text);
        hd_uncontrolled(text);
    }
}

static void record_abort(struct hd_thread *t)
{
    struct hd_event end = { .tid = t->tid, .kind = HD_EV_TX_END, .flags = HD_EVF_FAILED, .peer = HD_NO_TID,
                            .pc = tx.pc, .value = tx.status };

    hd.exec->events[tx.event].value = tx.status;
    hd_tx_log_settle(false);
    hd_gate_make_room();
    hd_gate_record(&end, NULL);
}

/* T3.  Runs on a stack of its own. */
static _Noreturn void abort_now(void)
{
    struct hd_thread *t = hd.cur;

    look_for_others(t);
    hd_tx_log_undo(t->stack_lo, tx.lowest);
    hd_mem_copy((void *)tx.lowest, tx.stack, tx.size);
    hd_tx_undo_abort(t);
    hd_tx_undo_events(t, tx.event + 1, false, has_conflicts());
    put_calls_back();
    hd.stores = tx.stores;
    t->new_pc = 0;
    t->new_next = 0;
    leave(t);
    record_abort(t);
    last_choice[t->tid].nevents = hd.exec->nevents;
    if (tx.gnu) {
        tx.frame->rax = ITM_ABORTED;
    } else {
        hd_tx_site(tx.pc, true);
        go_on_aborted(tx.frame, tx.status);
    }
    hd_tx_resume(tx.lowest, tx.frame);
}

static _Noreturn void abort_with(uint32_t status)
{
    if (tx.depth > 1)
        end_nested();
    tx.status = status | (tx.depth > 1 ? HD_TX_NESTED : 0);
    hd_tx_log_record(has_conflicts());
    (void)was_aborted(hd.cur);
    hd_run_on(tx.abort_stack + ABORT_STACK - 64, abort_now);
}

void hd_tx_abort(struct hd_tx_frame *f)
{
    if (!hd_tx_active && hd.cur != NULL) {
        outside.pc = f->rip;
        outside.tid = hd.cur->tid;
    }
    if (hd_tx_active)
        abort_with(HD_TX_EXPLICIT | (uint32_t)(f->operand & 0xff) << 24);
}

/* The library repeats such a transaction when it need not wait, which is as if it began then.  Here the execution ends. */
static _Noreturn void cannot_wait(enum hd_kind kind)
{
    char text[200];

    hd_format(text, sizeof text, "'%s' inside a transaction of GNU TM is not supported: cut there", hd_kind_info[kind].text);
    hd_execution_cut(text);
}

/* True if a processor always aborts a transaction that does this: the operation calls the kernel, or it has to
 * wait. */
static bool aborts_for_sure(const struct hd_thread *t, enum hd_kind kind)
{
    const struct hd_kind_info *k = &hd_kind_info[kind];

    return (k->traits & HD_TRAIT_YIELDS) || hd_kind_is_io(kind) || k->obj == HD_OBJ_FUTEX ||
           k->obj == HD_OBJ_TIMER || k->obj == HD_OBJ_PROCESS || kind == HD_EV_SIGNAL ||
           kind == HD_EV_THREAD_CREATE || kind == HD_EV_COND_WAIT || !hd_set_has(&hd.point.enabled, t->tid);
}

/* The operation is an attempt that fails: the step depends on its object. */
static void record_blocked(struct hd_thread *t)
{
    struct hd_event e = { .tid = t->tid, .kind = HD_EV_TOUCH, .peer = HD_NO_TID,
                          .obj = t->obj != NULL ? t->obj->id : 0, .pc = hd_pending()->pc };

    if (t->obj == NULL)
        return;
    hd_gate_make_room();
    hd_gate_record(&e, t->obj);
}

void hd_tx_operation(struct hd_thread *t)
{
    enum hd_kind kind = (enum hd_kind)hd_pending()->kind;
    bool joins = hd_tx_joins(kind);
    char text[200];

    hd_tx_log_record_reads(); /* the operation may follow from them */
    if (joins && hd_set_has(&hd.point.enabled, t->tid)) {
        if (hd_tx_undo_keep(t->obj))
            return;
        hd_uncontrolled("a transaction uses more than 64 locks and semaphores: it is aborted");
    } else if (tx.gnu && hd_set_has(&hd.point.enabled, t->tid)) {
        if (tx.atomic)
            hd_fail(HD_FK_TM_MISUSE, hd_pending()->pc, "T%u does '%s' inside an atomic transaction: it cannot be undone", t->tid,
                    hd_kind_info[kind].text);
        tx.irrevocable = true; /* it takes place, and is never undone */
        return;
    } else if (tx.gnu) {
        cannot_wait(kind);
    } else if (!aborts_for_sure(t, kind)) {
        hd_format(text, sizeof text, "'%s' inside a transaction is not supported: it aborts the transaction",
                  hd_kind_info[kind].text);
        hd_uncontrolled(text);
    }
    record_blocked(t);
    hd_gate_withdraw(t);
    abort_with(0);
}

static const char many_blocks[] = "a transaction allocates or frees more than 64 blocks: it is aborted";

void hd_tx_allocated(void *p)
{
    if (hd_tx_undo_allocated(p))
        return;
    hd_uncontrolled(many_blocks);
    abort_with(0);
}

void hd_tx_frees(void *p, size_t size, uint64_t pc)
{
    hd_tx_access((uintptr_t)p, size, true, pc);
    if (hd_tx_undo_freed(p, pc))
        return;
    hd_uncontrolled(many_blocks);
    abort_with(0);
}


void hd_tx_access(uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    if (hd.fuel < 0 && tx.gnu)
        hd_execution_cut("a transaction of GNU TM does not end: cut there");
    if (hd.fuel < 0)
        abort_with(0); /* an endless loop: an interrupt ends it */
    if (hd_tx_log_add(addr, size, write, pc))
        return;
    if (tx.gnu)
        hd_execution_cut("a transaction of GNU TM touches too much memory: cut there");
    if (!hd_tx_log_is_over_capacity())
        hd_uncontrolled("a transaction touches more than 32 KB: it is aborted");
    abort_with(HD_TX_CAPACITY);
}

/* ---- GNU TM --------------------------------------------------------------------------------------- */

/* Bits of the ABI: properties of a transaction, and what the code does after its begin. */
enum { ITM_UNINSTRUMENTED = 2, ITM_NEVER_IRREVOCABLE = 0x20, ITM_RUN_INSTRUMENTED = 1, ITM_RUN_UNINSTRUMENTED = 2 };

/* Both variants of the code announce their accesses (hooks/itm.c).  The one that gcc has not instrumented for
 * transactions calls the functions themselves, not their clones. */
static uint32_t code_to_run(const struct hd_tx_frame *f)
{
    return f->rdi & ITM_UNINSTRUMENTED ? ITM_RUN_UNINSTRUMENTED : ITM_RUN_INSTRUMENTED;
}

void hd_itm_begin(struct hd_tx_frame *f, uintptr_t lowest)
{
    f->rax = code_to_run(f);
    if (hd_tx_active) {
        begin_nested();
        return;
    }
    if (hd.cur == NULL) {
        hd_itm_alone_begin();
        return;
    }
    if (hd.cur->in_section || hd.cur->stack_hi - lowest > DEEPEST)
        hd_execution_cut("a transaction of GNU TM begins inside an atomic section, or below more than 256 KB of stack: cut there");
    hd_entry.frame = 0;
    hd_entry.unused = sizeof f->rip;
    begin_step(hd.cur, f, lowest, registers(f), true);
    tx.atomic = f->rdi & ITM_NEVER_IRREVOCABLE;
}

void hd_itm_commit(uint64_t pc)
{
    if (hd.cur == NULL)
        hd_itm_alone_commit();
    else if (!hd_tx_active)
        hd_fail(HD_FK_TM_MISUSE, pc, "T%u ends a transaction and is in none", hd.cur->tid);
    else if (--tx.depth == 0)
        commit(hd.cur, pc);
}

void hd_itm_cancel(uint32_t reason, uint64_t pc)
{
    enum { OUTER = 16 };

    if (hd.cur == NULL)
        hd_itm_alone_cancel();
    if (!hd_tx_active || tx.irrevocable) {
        hd_fail(HD_FK_TM_MISUSE, pc, hd_tx_active ? "T%u cancels a transaction that cannot be undone any more" :
                "T%u cancels a transaction and is in none", hd.cur->tid);
        return;
    }
    if (tx.depth > 1 && !(reason & OUTER))
        hd_execution_cut("a nested transaction of GNU TM is cancelled alone: not supported, cut there");
    abort_with(HD_TX_EXPLICIT);
}

void hd_itm_irrevocable(uint64_t pc)
{
    if (!hd_tx_active)
        return;
    if (tx.atomic)
        hd_fail(HD_FK_TM_MISUSE, pc, "T%u calls code inside an atomic transaction that was not compiled for transactions",
                hd.cur->tid);
    tx.irrevocable = true;
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
