/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tx_undo.h - what the running transaction has done besides accesses to memory (tx_log.h): operations on
 * locks and semaphores, and on the heap.
 *
 * U1  A lock or semaphore is taken only if that needs no waiting.  So the event is recorded as an attempt
 *     (trylock, trywait), which is never disabled.
 * U2  An abort gives objects the state that they had at the begin, and blocks that were allocated are
 *     freed.  The events stay in the record as reads of their objects, or as accesses of the same class where another
 *     thread's accesses may abort the transaction (tx_conflict.h, C2).
 * U3  Blocks are freed when the transaction commits.  A free is a write of the whole block, so that a
 *     search tries it before and after accesses of others. */
#ifndef HD_RUNTIME_WATCH_TX_UNDO_H
#define HD_RUNTIME_WATCH_TX_UNDO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/core/object.h"
#include "runtime/core/thread_state.h"

/* t begins a transaction. */
void hd_tx_undo_begin(const struct hd_thread *t);
/* May an operation of this kind take place in a transaction if it need not wait? */
bool hd_tx_joins(enum hd_kind kind);
/* The state of o is about to change.  Returns false if there is no room. */
bool hd_tx_undo_keep(struct hd_obj *o);
/* The block was allocated; it is to be freed.  Return false if there is no room. */
bool hd_tx_undo_allocated(void *p);
bool hd_tx_undo_freed(void *p, uint64_t pc);
/* The transaction ends: frees blocks, and gives all back that an abort gives back.  Call before the thread
 * leaves the transaction. */
void hd_tx_undo_commit(void);
void hd_tx_undo_abort(struct hd_thread *t);
/* A part that can be undone by itself begins; returns the place.  hd_tx_undo_to undoes what the heap did since; returns false if
 * locks or semaphores were used since, which it cannot undo. */
struct hd_tx_undo_place {
    uint32_t nallocated, nfreed, nused;
};
struct hd_tx_undo_place hd_tx_undo_here(void);
bool hd_tx_undo_to(struct hd_tx_undo_place place);
/* The events of t from this number on, which the transaction has recorded, become attempts (U1), or touch their
 * objects (U2). */
void hd_tx_undo_events(const struct hd_thread *t, uint32_t from, bool committed, bool same_class);
/* Tells the race detector what the events have taken or given. */
void hd_tx_undo_order(const struct hd_thread *t, uint32_t from, uint32_t end, bool gives);

#endif
