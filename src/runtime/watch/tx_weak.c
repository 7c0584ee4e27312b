/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tx_weak.c - weakly atomic transactions.  Only one thread at a time is in such a transaction, so hd_tx holds what a
 * cancellation must restore. */
#include "runtime/watch/tx_weak.h"

#include <pthread.h>

#include "runtime/core/execution.h"
#include "runtime/core/fiber.h"
#include "runtime/core/ledger.h"
#include "runtime/core/mutex.h"
#include "runtime/core/object.h"
#include "runtime/core/state.h"
#include "runtime/sys/mem.h"
#include "runtime/watch/tx_log.h"
#include "runtime/watch/tx_state.h"

static hd_tid owner = HD_NO_TID; /* the thread that is in a transaction */

void hd_tx_weak_reset(void)
{
    owner = HD_NO_TID;
    hd.access_mode &= ~(uint32_t)HD_MODE_TX_LOG;
}

bool hd_tx_weak_is_inside(void)
{
    return hd.cur != NULL && owner == hd.cur->tid;
}

/* The lock of all transactions. */
static struct hd_obj *lock(void)
{
    static pthread_mutex_t transactions = PTHREAD_MUTEX_INITIALIZER;

    return hd_object(&transactions, HD_OBJ_MUTEX);
}

void hd_tx_weak_begin(struct hd_tx_frame *f, uintptr_t lowest)
{
    struct hd_thread *t = hd.cur;

    if (owner == t->tid) {
        hd_tx.depth++;
        return;
    }
    if (t->stack_hi - lowest > HD_TX_DEEPEST)
        hd_execution_cut("a transaction of GNU TM begins below more than 256 KB of stack: cut there");
    hd_mutex_lock_nested(lock(), f->rip);
    owner = t->tid;
    hd_tx.depth = 1;
    hd_tx.pc = f->rip;
    hd_tx.event = hd.exec->nevents - 1; /* the event of the lock */
    hd_tx_save(t, f, lowest);
    hd.access_mode |= HD_MODE_TX_LOG;
    hd.writes = 0;
}

static void leave(uint64_t pc)
{
    owner = HD_NO_TID;
    hd.access_mode &= ~(uint32_t)HD_MODE_TX_LOG;
    hd_mutex_unlock(lock(), pc);
}

bool hd_tx_weak_commit(uint64_t pc)
{
    if (!hd_tx_weak_is_inside())
        return false;
    if (--hd_tx.depth == 0)
        leave(pc);
    return true;
}

/* Undoes the transaction (W3).  Runs on a separate stack, because it restores the thread's own. */
static _Noreturn void cancel_now(void)
{
    const struct hd_thread *t = hd.cur;

    hd_tx_look_for_others(t, true);
    hd_tx_log_undo(t->stack_lo, hd_tx.lowest);
    hd_tx_put_back();
    leave(hd_tx.pc);
    hd_tx.frame->rax = HD_ITM_ABORTED;
    hd_tx_resume(hd_tx.lowest, hd_tx.frame);
}

void hd_tx_weak_cancel(bool outermost)
{
    if (!hd_tx_weak_is_inside())
        return;
    if (hd_tx.depth > 1 && !outermost)
        hd_execution_cut("a nested transaction of GNU TM is cancelled alone with --tm-weak: not supported, cut there");
    hd_run_on(hd_tx.abort_stack + HD_TX_ABORT_STACK - 64, cancel_now);
}

void hd_tx_weak_access(uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    if (owner == hd.cur->tid && write && !hd_tx_log_add(addr, size, write, pc))
        hd_execution_cut("a transaction of GNU TM touches too much memory: cut there");
}
