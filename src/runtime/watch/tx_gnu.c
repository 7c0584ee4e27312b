/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tx_gnu.c - transactions of GNU TM (transaction.h, T9). */
#include "runtime/core/entry.h"
#include "runtime/core/execution.h"
#include "runtime/core/fiber.h"
#include "runtime/core/state.h"
#include "runtime/report/finding.h"
#include "runtime/sys/mem.h"
#include "runtime/watch/itm_alone.h"
#include "runtime/watch/transaction.h"
#include "runtime/watch/tx_log.h"
#include "runtime/watch/tx_outcome.h"
#include "runtime/watch/tx_state.h"
#include "runtime/watch/tx_undo.h"
#include "runtime/watch/tx_weak.h"
#include "wire/wire.h"

/* Bits of the ABI: properties of a transaction, and what the code does after its begin. */
enum {
    ITM_INSTRUMENTED = 1, ITM_NEVER_CANCELLED = 8, ITM_NEVER_IRREVOCABLE = 0x20,
    ITM_RUN_INSTRUMENTED = 1, ITM_RUN_UNINSTRUMENTED = 2,
};

/* Nested transactions that may be cancelled alone. */
static struct part {
    unsigned depth; /* nesting depth of the transaction around it */
    struct hd_tx_frame *frame;
    uintptr_t lowest;
    size_t size;
    uint8_t *stack; /* contents of the stack from `lowest` on */
    struct hd_call *calls;
    struct hd_tx_undo_place place;
} parts[HD_TX_LEVELS];
static unsigned nparts;

/* The shadow call stack is not saved: functions that are compiled with -fgnu-tm are not on it. */
static void begin_part(const struct hd_thread *t, struct hd_tx_frame *f, uintptr_t lowest)
{
    struct part *p = &parts[nparts];

    while (nparts > 0 && parts[nparts - 1].depth >= hd_tx.depth) /* it has ended */
        p = &parts[--nparts];
    if (nparts == HD_TX_LEVELS)
        return;
    if (p->stack == NULL)
        p->stack = hd_mem_map(0, HD_TX_DEEPEST, PROT_READ | PROT_WRITE);
    if (p->stack == NULL || t->stack_hi - lowest > HD_TX_DEEPEST)
        return;
    uint8_t *stack = p->stack;

    *p = (struct part){ hd_tx.depth, f, lowest, t->stack_hi - lowest, stack, hd.calls, hd_tx_undo_here() };
    hd_mem_copy(stack, (const void *)lowest, p->size);
    hd_tx_log_keep(nparts++);
}

/* Runs on a stack of its own. */
static _Noreturn void undo_part(void)
{
    struct hd_thread *t = hd.cur;
    const struct part *p = &parts[--nparts];

    hd_tx_log_undo_to(nparts, t->stack_lo, p->lowest);
    hd_mem_copy((void *)p->lowest, p->stack, p->size);
    hd.calls = p->calls;
    hd_tx.depth = p->depth;
    p->frame->rax = HD_ITM_ABORTED;
    hd_tx_resume(p->lowest, p->frame);
}

/* Cancels the innermost transaction alone. */
static _Noreturn void cancel_part(void)
{
    while (nparts > 0 && parts[nparts - 1].depth >= hd_tx.depth)
        nparts--;
    if (nparts == 0 || parts[nparts - 1].depth != hd_tx.depth - 1)
        hd_execution_cut("a transaction of GNU TM that is nested too deeply is cancelled alone: not supported, cut there");
    if (!hd_tx_undo_to(parts[nparts - 1].place))
        hd_execution_cut("a nested transaction of GNU TM that uses locks is cancelled alone: not supported, cut there");
    hd_run_on(hd_tx.abort_stack + HD_TX_ABORT_STACK - 64, undo_part);
}

/* Both variants of the code announce their accesses (hooks/itm.c).  The variant that gcc has instrumented for
 * transactions also looks up the transactional clones of functions that it calls by pointers, so that a missing
 * clone is noticed. */
static uint32_t code_to_run(const struct hd_tx_frame *f)
{
    return f->rdi & ITM_INSTRUMENTED ? ITM_RUN_INSTRUMENTED : ITM_RUN_UNINSTRUMENTED;
}

void hd_itm_begin(struct hd_tx_frame *f, uintptr_t lowest)
{
    f->rax = code_to_run(f);
    if (hd_tx_active) {
        if (!(f->rdi & ITM_NEVER_CANCELLED))
            begin_part(hd.cur, f, lowest);
        hd_tx_begin_nested();
        return;
    }
    if (hd.cur == NULL) {
        hd_itm_alone_begin();
        return;
    }
    if (hd.cfg->tm == HD_TM_WEAK) {
        hd_tx_weak_begin(f, lowest);
        return;
    }
    if (hd.cur->in_section || hd.cur->stack_hi - lowest > HD_TX_DEEPEST)
        hd_execution_cut("a transaction of GNU TM begins inside an atomic section, or below more than 256 KB of stack: cut there");
    hd_entry.frame = 0;
    hd_entry.unused = sizeof f->rip;
    hd_tx_begin_step(hd.cur, f, lowest, hd_tx_registers(f), true);
    hd_tx.atomic = f->rdi & ITM_NEVER_IRREVOCABLE;
    nparts = 0;
}

void hd_itm_commit(uint64_t pc)
{
    if (hd.cur == NULL)
        hd_itm_alone_commit();
    else if (hd_tx_weak_commit(pc))
        return;
    else if (!hd_tx_active)
        hd_fail(HD_FK_TM_MISUSE, pc, "T%u ends a transaction and is in none", hd.cur->tid);
    else if (--hd_tx.depth == 0)
        hd_tx_commit(hd.cur, pc);
}

void hd_itm_cancel(uint32_t reason, uint64_t pc)
{
    enum { OUTER = 16 };

    if (hd.cur == NULL)
        hd_itm_alone_cancel();
    hd_tx_weak_cancel(reason & OUTER);
    if (!hd_tx_active || hd_tx.irrevocable) {
        hd_fail(HD_FK_TM_MISUSE, pc, hd_tx_active ? "T%u cancels a transaction that cannot be undone any more" :
                "T%u cancels a transaction and is in none", hd.cur->tid);
        return;
    }
    if (hd_tx.depth > 1 && !(reason & OUTER))
        cancel_part();
    hd_tx_abort_with(HD_TX_EXPLICIT);
}

void hd_itm_irrevocable(uint64_t pc)
{
    if (!hd_tx_active)
        return;
    if (hd_tx.atomic)
        hd_fail(HD_FK_TM_MISUSE, pc, "T%u calls code inside an atomic transaction that was not compiled for transactions",
                hd.cur->tid);
    hd_tx.irrevocable = true;
}

void hd_itm_act(void)
{
    if (hd.cur == NULL)
        hd_itm_alone_act();
    hd_execution_cut("a transaction of GNU TM registers a function for its end: not supported, cut there");
}
