/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tx_weak.h - transactions of GNU TM that are weakly atomic (--tm-weak).
 *
 * W1  A transaction is a critical section under one lock that all transactions share.  Code outside of transactions may
 *     run between its accesses, wherever the search has scheduling points, and sees what the transaction has written:
 *     the library writes in place and keeps the old values.
 * W2  Its accesses are plain accesses.  So races with code outside of transactions are found like all races, and the
 *     lock orders it with other transactions.
 * W3  If a transaction is cancelled, its memory, registers and stack are restored.  Operations inside it take effect
 *     and are not undone; the verdict says so. */
#ifndef HD_RUNTIME_WATCH_TX_WEAK_H
#define HD_RUNTIME_WATCH_TX_WEAK_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/watch/transaction.h"

/* An execution begins. */
void hd_tx_weak_reset(void);
/* Call when the running thread begins, ends or cancels a transaction. hd_tx_weak_cancel returns only if the thread
 * is in no transaction. */
void hd_tx_weak_begin(struct hd_tx_frame *f, uintptr_t lowest);
/* Returns false if the thread is in no transaction. */
bool hd_tx_weak_commit(uint64_t pc);
void hd_tx_weak_cancel(bool outermost);
/* True if the running thread is in a weakly atomic transaction. */
bool hd_tx_weak_is_inside(void);

#endif
