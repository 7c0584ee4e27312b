/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tx_outcome.h - the choices of a search about a transaction of RTM: whether it is spuriously aborted at its begin
 * (transaction.h, T2 and T6), and whether another thread's step has aborted it before its end (T8). */
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

/* Returns a hash of the registers that a call does not preserve.  At a transactional instruction they may contain
 * values in use. */
uint64_t hd_tx_registers(const struct hd_tx_frame *f);

/* Returns whether the search aborts t's transaction at its begin; if so, sets the status. */
bool hd_tx_outcome_at_begin(struct hd_thread *t, uint64_t pc, uint64_t registers, uintptr_t lowest, uint32_t *status);

/* The nested transactions inside the running transaction. */
struct hd_tx_nesting {
    bool any;
    bool open;           /* the last nested transaction has not ended */
    uint32_t begin, end; /* number of events when the last nested transaction began, and when it ended or was aborted */
};

/* Call when the body is over and its accesses are recorded, and the thread has left the transaction for the choice.
 * event: the event of the begin.  Returns whether the search decides that the transaction was aborted before its
 * end; if so, sets the status. */
bool hd_tx_outcome_at_end(uint32_t event, uint64_t pc, const struct hd_tx_nesting *nesting, uint32_t *status);

/* The thread's transaction has ended, or was aborted after its begin. */
void hd_tx_outcome_committed(hd_tid tid);
void hd_tx_outcome_aborted(hd_tid tid);

#endif
