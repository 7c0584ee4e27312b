/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tx_outcome.h - what a search chooses about a transaction of RTM: whether it is aborted at its begin for no reason
 * (transaction.h, T2 and T6), and whether it was aborted before its end, by another thread's step (T8). */
#ifndef HD_RUNTIME_WATCH_TX_OUTCOME_H
#define HD_RUNTIME_WATCH_TX_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/core/thread_state.h"
#include "runtime/watch/transaction.h"

/* An execution begins. */
void hd_tx_outcome_begin(void);

/* True if other threads' steps may abort transactions of RTM. */
bool hd_tx_tries_conflicts(void);

/* Returns a hash of the registers that a call does not preserve: here they may be in use. */
uint64_t hd_tx_registers(const struct hd_tx_frame *f);

/* Returns whether t's transaction is aborted at its begin, and sets the status then. */
bool hd_tx_outcome_at_begin(struct hd_thread *t, uint64_t pc, uint64_t registers, uintptr_t lowest, uint32_t *status);

/* Nested transactions in the running one. */
struct hd_tx_nesting {
    bool any;
    bool open;           /* the last one has not ended */
    uint32_t begin, end; /* number of events when the last one began, and ended or was aborted */
};

/* The body is over, and its accesses are recorded; event: of its begin.  The thread is not in the transaction for the
 * choice.  Returns whether the transaction was aborted before the end, and sets the status then. */
bool hd_tx_outcome_at_end(uint32_t event, uint64_t pc, const struct hd_tx_nesting *nesting, uint32_t *status);

/* The thread's transaction has ended, or was aborted after its begin. */
void hd_tx_outcome_committed(hd_tid tid);
void hd_tx_outcome_aborted(hd_tid tid);

#endif
