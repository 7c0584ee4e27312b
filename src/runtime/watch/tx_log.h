/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tx_log.h - the accesses of the running transaction (transaction.h, T4), in units of 4 bytes. */
#ifndef HD_RUNTIME_WATCH_TX_LOG_H
#define HD_RUNTIME_WATCH_TX_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/watch/tx_conflict.h"

void hd_tx_log_start(void);
void hd_tx_log_begin(void);
/* Call before the access.  Returns false if there is no room, or if the transaction has touched more lines than
 * --tm-capacity allows (hd_tx_log_is_over_capacity). */
bool hd_tx_log_add(uintptr_t addr, size_t size, bool write, uint64_t pc);
/* Undoes all writes, except those to the stack between lo and hi, which is no longer in use. */
void hd_tx_log_undo(uintptr_t lo, uintptr_t hi);
/* hd_tx_log_keep marks the begin of a nested transaction that can be undone alone, with number `level` <
 * HD_TX_LEVELS. hd_tx_log_undo_to undoes the writes since then, except to the stack between lo and hi. */
enum { HD_TX_LEVELS = 4 };
void hd_tx_log_keep(unsigned level);
void hd_tx_log_undo_to(unsigned level, uintptr_t lo, uintptr_t hi);
/* Records everything that was read so far.  Call before an operation that may depend on it. */
void hd_tx_log_record_reads(void);
/* Marks all accesses so far with this bit (enum hd_tx_when). */
void hd_tx_log_mark(enum hd_tx_when when);
/* Records the remaining reads as events, and the writes if `writes`. */
void hd_tx_log_record(bool writes);
/* Call when the transaction is over: reports its accesses to the waiting threads and to the race detector.  If it
 * did not commit, it counts as having only read: recorded writes get the value from before the transaction.  Returns
 * true if something was written. */
bool hd_tx_log_settle(bool committed);
bool hd_tx_log_is_over_capacity(void);

#endif
