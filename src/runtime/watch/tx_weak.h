/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tx_weak.h - transactions of GNU TM that are weakly atomic (--tm-weak).
 *
 * W1  A transaction is a section under one lock for all of them.  Other code runs between its accesses where a search has
 *     scheduling points, and sees what it has written: the library writes in place and keeps the old values.
 * W2  Accesses are plain ones.  Races with code outside of transactions are found as all races are, and those with other
 *     transactions do not exist.
 * W3  A cancelled transaction gets its memory, registers and stack back.  Operations inside it take place and are not undone;
 *     the verdict says so. */
#ifndef HD_RUNTIME_WATCH_TX_WEAK_H
#define HD_RUNTIME_WATCH_TX_WEAK_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/watch/transaction.h"

/* An execution begins. */
void hd_tx_weak_reset(void);
/* The running thread begins, ends or cancels a transaction; hd_tx_weak_cancel returns only if it is in none. */
void hd_tx_weak_begin(struct hd_tx_frame *f, uintptr_t lowest);
/* Returns false if the thread is in no transaction. */
bool hd_tx_weak_commit(uint64_t pc);
void hd_tx_weak_cancel(bool outermost);
/* True if the running thread is in such a transaction. */
bool hd_tx_weak_is_inside(void);

#endif
