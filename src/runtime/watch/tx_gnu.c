/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tx_gnu.c - transactions of GNU TM (transaction.h, T9). */
#include "runtime/core/entry.h"
#include "runtime/core/execution.h"
#include "runtime/core/state.h"
#include "runtime/report/finding.h"
#include "runtime/watch/itm_alone.h"
#include "runtime/watch/transaction.h"
#include "runtime/watch/tx_outcome.h"
#include "runtime/watch/tx_state.h"
#include "wire/wire.h"

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
        hd_tx_begin_nested();
        return;
    }
    if (hd.cur == NULL) {
        hd_itm_alone_begin();
        return;
    }
    if (hd.cur->in_section || hd.cur->stack_hi - lowest > HD_TX_DEEPEST)
        hd_execution_cut("a transaction of GNU TM begins inside an atomic section, or below more than 256 KB of stack: cut there");
    hd_entry.frame = 0;
    hd_entry.unused = sizeof f->rip;
    hd_tx_begin_step(hd.cur, f, lowest, hd_tx_registers(f), true);
    hd_tx.atomic = f->rdi & ITM_NEVER_IRREVOCABLE;
}

void hd_itm_commit(uint64_t pc)
{
    if (hd.cur == NULL)
        hd_itm_alone_commit();
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
    if (!hd_tx_active || hd_tx.irrevocable) {
        hd_fail(HD_FK_TM_MISUSE, pc, hd_tx_active ? "T%u cancels a transaction that cannot be undone any more" :
                "T%u cancels a transaction and is in none", hd.cur->tid);
        return;
    }
    if (hd_tx.depth > 1 && !(reason & OUTER))
        hd_execution_cut("a nested transaction of GNU TM is cancelled alone: not supported, cut there");
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
