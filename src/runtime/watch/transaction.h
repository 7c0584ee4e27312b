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
 *     changed nothing.  It gets none either after MOST_ABORTS aborts in a row at one begin; the verdict names this
 *     limit.
 * T7  Locks and semaphores that need no waiting, and the heap, join the transaction (tx_undo.h).  The allocator's own
 *     data conflict with nothing.
 * T8  That another thread's step has aborted the transaction, or nothing while a nested one ran, is a choice when the
 *     body is over (tx_conflict.h): only then are its accesses known.  The accesses are recorded before, all in their
 *     classes whatever the choice; if it was aborted, the body is undone as in T3.  This is not offered with --tm-aborts
 *     retry.  With --tm stm it is, and spurious aborts are not.  A processor also finds conflicts with a transaction that is
 *     aborted later.  These are not tried, and the verdict says so.
 * T9  GNU TM transactions are the same, without spurious aborts and conflicts: the library repeats a transaction that
 *     was aborted, which is as if it began later.  With --tm-weak they are sections under a lock (tx_weak.h). */
#ifndef HD_RUNTIME_WATCH_TRANSACTION_H
#define HD_RUNTIME_WATCH_TRANSACTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
    uint64_t rip; /* after the call */
    uint64_t operand; /* of xabort */
};

/* The functions for the instructions. lowest: all that the stub has saved lies above it. hd_tx_begin sets the frame
 * so that the target continues at the right place. */
void hd_tx_begin(struct hd_tx_frame *frame, uintptr_t lowest);
void hd_tx_end(struct hd_tx_frame *frame);
void hd_tx_abort(struct hd_tx_frame *frame);
/* Continues after the begin, with the stack pointer `lowest` and the frame that is there. */
_Noreturn void hd_tx_resume(uintptr_t lowest, struct hd_tx_frame *frame);

/* GNU TM (hooks/itm.c).  edi has the properties of the transaction, eax gets the actions. */
void hd_itm_begin(struct hd_tx_frame *frame, uintptr_t lowest);
void hd_itm_commit(uint64_t pc);
/* Cancels the transaction; reason: enum of the ABI. */
void hd_itm_cancel(uint32_t reason, uint64_t pc);
/* From here on the transaction cannot be undone: it may call the kernel. */
void hd_itm_irrevocable(uint64_t pc);

/* Not 0 while the running thread is in a transaction (xtest reads it). */
extern uint8_t hd_tx_active __attribute__((visibility("hidden")));
/* Bit 11, or 0: what cpuid says about transactions. */
extern uint32_t hd_tx_told __attribute__((visibility("hidden")));
/* Call when the settings are known, before the program's own code runs. */
void hd_tx_tell(void);
/* True if the program has transactional instructions that heddle cc has replaced. */
extern bool hd_tx_used __attribute__((visibility("hidden")));

/* Call when the running thread, which is in a transaction, is about to access this memory. */
void hd_tx_access(uintptr_t addr, size_t size, bool write, uint64_t pc);
/* Call with --tm-weak while a thread is in a transaction. */
void hd_tx_weak_access(uintptr_t addr, size_t size, bool write, uint64_t pc);
/* Call when t, which is in a transaction, has announced an operation.  Returns if it takes place there (T7). */
void hd_tx_operation(struct hd_thread *t);
/* Call when the running thread, which is in a transaction, is about to call the kernel, if that is no operation.  Returns if
 * the call takes place there. */
void hd_tx_system_call(uint64_t pc);
/* Call when the running thread, which is in a transaction, has allocated a block, or frees one of that size. */
void hd_tx_allocated(void *p);
void hd_tx_frees(void *p, size_t size, uint64_t pc);
/* Call when the running thread leaves its transaction without an end, because it ends or has failed. */
void hd_tx_leave(void);

#endif
