/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tx_undo.h - undoes what the running transaction has done besides memory accesses (tx_log.h): operations on locks
 * and semaphores, and on the heap.
 *
 * U1  A lock or semaphore is taken only if that needs no waiting.  So the event is recorded as an attempt
 *     (trylock, trywait), which is never disabled.
 * U2  An abort restores objects to their state at the begin, and frees blocks that were allocated.  The events stay
 *     in the record as reads of their objects or, if accesses of another thread may abort the transaction, as
 *     accesses of the same class (tx_conflict.h, C2).
 * U3  Blocks are freed when the transaction commits.  A free is a write of the whole block, so that a
 *     search tries it before and after accesses of others. */
#ifndef HD_RUNTIME_WATCH_TX_UNDO_H
#define HD_RUNTIME_WATCH_TX_UNDO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/core/object.h"
#include "runtime/core/thread_state.h"

/* Call when t begins a transaction. */
void hd_tx_undo_begin(const struct hd_thread *t);
/* True if an operation of this kind may take place in a transaction, provided that it need not wait. */
bool hd_tx_joins(enum hd_kind kind);
/* Call when the state of o is about to change.  Returns false if there is no room. */
bool hd_tx_undo_keep(struct hd_obj *o);
/* hd_tx_undo_allocated: the block was allocated; hd_tx_undo_freed: it is to be freed.  They return false if there
 * is no room. */
bool hd_tx_undo_allocated(void *p);
bool hd_tx_undo_freed(void *p, uint64_t pc);
/* hd_tx_undo_commit frees the blocks that the transaction frees; hd_tx_undo_abort undoes everything.  Call them
 * before the thread leaves the transaction. */
void hd_tx_undo_commit(void);
void hd_tx_undo_abort(struct hd_thread *t);
/* hd_tx_undo_here marks the begin of a nested transaction that can be undone alone. hd_tx_undo_to undoes what the
 * heap did since then.  It returns false if locks or semaphores were used since, which it cannot undo. */
struct hd_tx_undo_place {
    uint32_t nallocated, nfreed, nused;
};
struct hd_tx_undo_place hd_tx_undo_here(void);
bool hd_tx_undo_to(struct hd_tx_undo_place place);
/* Changes the events of t from number `from` on, which the transaction has recorded, into attempts (U1) or touches
 * of their objects (U2). */
void hd_tx_undo_events(const struct hd_thread *t, uint32_t from, bool committed, bool same_class);
/* Reports to the race detector what the events have acquired or released. */
void hd_tx_undo_order(const struct hd_thread *t, uint32_t from, uint32_t end, bool gives);

#endif
