/* SPDX-License-Identifier: BSD-2-Clause
 *
 * transaction.h - hardware transactions (RTM), which `heddle cc` turns into calls of the runtime.
 *
 * T1  A transaction is one step: no other thread runs between its begin and its end.  This loses nothing: if another
 *     thread interrupts a transaction without a conflict, the order of the two does not matter; with a conflict, the
 *     transaction is aborted, as if at its begin.
 * T2  A spurious abort is a choice at its begin, before the thread waits for its turn.  An abort touches nothing, so
 *     it needs no turn.
 * T3  Aborts that the body causes (xabort, a system call, waiting) are not choices.  The body has run then.  It is
 *     undone in place, and counts as a read of everything that it has touched.
 * T4  The step depends only on the memory that the body has touched, in units of 4 bytes: two transactions that touch
 *     different memory are independent.  The accesses are logged while the body runs and recorded when it is over,
 *     since only then is it known whether its writes have happened.  Atomic operations of other code touch the same
 *     units (hooks/access.c).
 * T5  For data races the accesses are atomic ones.  Transactions and atomic operations order each other
 *     where they conflict.  (detect/clocks.h)
 * T6  If a thread returns to a begin in the same state, and has only read since its last choice there, it gets no
 *     choice: other executions explore the other alternative at the earlier choice, and the round in between has
 *     changed nothing.  After MOST_ABORTS aborts in a row at one begin it gets no choice either; the verdict names this
 *     limit.
 * T7  Locks and semaphores that need no waiting, and the heap, join the transaction (tx_undo.h).  The allocator's own
 *     data conflict with nothing.
 * T8  Another thread's step may abort the transaction, and a nested transaction may also be aborted spuriously.  The
 *     search chooses among these aborts when the body is over, because only then are its accesses known
 *     (tx_conflict.h).  The accesses are recorded before the choice, each in its class whatever the choice is. If the
 *     transaction was aborted, the body is undone as in T3. With --tm-aborts retry there is no such choice; with --tm
 *     stm there is, but no spurious aborts.  A processor also detects conflicts with a transaction that is itself
 *     aborted later.  Heddle does not try these, and the verdict says so.
 * T9  GNU TM transactions are treated in the same way, but without spurious aborts and conflicts: the library would
 *     repeat an aborted transaction, which has the same effect as a later begin.  With --tm-weak they are critical
 *     sections under one lock (tx_weak.h). */
#ifndef HD_RUNTIME_WATCH_TRANSACTION_H
#define HD_RUNTIME_WATCH_TRANSACTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/core/state.h"
#include "runtime/core/thread_state.h"

/* The status that xbegin returns after an abort; bits 24 to 31: the operand of xabort. */
enum hd_tx_status {
    HD_TX_EXPLICIT = 1,
    HD_TX_RETRY = 2,
    HD_TX_CONFLICT = 4,
    HD_TX_CAPACITY = 8,
    HD_TX_NESTED = 32,
};

/* Registers of the target at a transactional instruction, as the stubs push them
 * (transaction_x86_64.S). */
struct hd_tx_frame {
    uint64_t rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15, rflags;
    uint64_t rip; /* address of the instruction after the call */
    uint64_t operand; /* operand of xabort */
};

/* The functions that the stubs call for the instructions. lowest: address of the first byte that the stub has saved on
 * the stack. hd_tx_begin changes the frame so that the target continues at the right place. */
void hd_tx_begin(struct hd_tx_frame *frame, uintptr_t lowest);
void hd_tx_end(struct hd_tx_frame *frame);
void hd_tx_abort(struct hd_tx_frame *frame);
/* Continues the target after the begin of the transaction.  `lowest` is the stack pointer at which the stub finds what
 * it has saved; the registers of the target are those in the frame. */
_Noreturn void hd_tx_resume(uintptr_t lowest, struct hd_tx_frame *frame);

/* GNU TM (hooks/itm.c).  edi has the properties of the transaction, eax gets the actions. */
void hd_itm_begin(struct hd_tx_frame *frame, uintptr_t lowest);
void hd_itm_commit(uint64_t pc);
/* Cancels the transaction; reason: enum of the ABI. */
void hd_itm_cancel(uint32_t reason, uint64_t pc);
/* From here on the transaction cannot be undone: it may call the kernel. */
void hd_itm_irrevocable(uint64_t pc);
/* The transaction registers a function for its end, which is not supported. */
_Noreturn void hd_itm_act(void);

/* Not 0 while the running thread is in a transaction (xtest reads it). */
extern uint8_t hd_tx_active __attribute__((visibility("hidden")));
/* True if the program has transactional instructions that heddle cc has replaced. */
extern bool hd_tx_used __attribute__((visibility("hidden")));

/* Call when the running thread, which is in a transaction, is about to access this memory. */
void hd_tx_access(uintptr_t addr, size_t size, bool write, uint64_t pc);
/* Call with --tm-weak while a thread is in a transaction. */
void hd_tx_weak_access(uintptr_t addr, size_t size, bool write, uint64_t pc);
/* Call when t, which is in a transaction, has announced an operation.  Returns if the operation takes place inside
 * the transaction (T7); otherwise aborts the transaction. */
void hd_tx_operation(struct hd_thread *t);
/* Call when the running thread, which is in a transaction, is about to make a system call that is not a visible
 * operation.  Aborts the transaction, or returns if the call may take place in it (transactions of -fgnu-tm).
 * hd_tx_calls_kernel is for threads that may be in a transaction.  System calls inside libc are caught when they
 * happen (hooks/dispatch.h).  These functions are for calls that the runtime models, and for libc functions that
 * must not be abandoned in the middle. */
void hd_tx_system_call(uint64_t pc);
static inline void hd_tx_calls_kernel(uint64_t pc)
{
    if (__builtin_expect((hd.access_mode & HD_MODE_TX) != 0, 0))
        hd_tx_system_call(pc);
}
/* Call when the running thread, which is in a transaction, has allocated a block, or frees one of that size. */
void hd_tx_allocated(void *p);
void hd_tx_frees(void *p, size_t size, uint64_t pc);
/* Call when the running thread leaves its transaction without an end, because it ends or has failed. */
void hd_tx_leave(void);

#endif
