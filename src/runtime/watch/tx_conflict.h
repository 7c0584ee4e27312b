/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tx_conflict.h - finds steps of other threads that may have aborted the running transaction.
 *
 * C1  A step can abort a transaction if it comes before the transaction, conflicts with it, and does not happen
 *     before the last event of the transaction's thread.  Then the transaction may have begun before the step.  In
 *     that case it has made the same accesses, at least up to the first conflicting one, and the step aborts it.  A
 *     transaction that was aborted by a choice is not such a step, because it may never have made its accesses.
 * C2  For happens-before, the transaction counts as an access to everything that it has touched, whether it commits or
 *     not.  So the events that happen before it determine which steps may abort it, and a reduction finds the same
 *     choice in every order of independent steps.
 * C3  If several transactions of an execution were aborted by conflicts, their causes must be compatible.  So there
 *     must be an order of the steps that respects happens-before and in which each of these transactions begins
 *     before a step that may have aborted it. Otherwise the execution is cut.  Happens-before alone determines
 *     whether such an order exists, and with fewer conflicts there are more such orders.  So a reduction, which runs
 *     one order of independent steps, loses nothing by this. */
#ifndef HD_RUNTIME_WATCH_TX_CONFLICT_H
#define HD_RUNTIME_WATCH_TX_CONFLICT_H

#include <stdbool.h>
#include <stdint.h>

void hd_tx_conflict_start(void);
/* An execution begins. */
void hd_tx_conflict_begin(void);

/* Bits in aux of a transactional read or write. */
enum hd_tx_when {
    HD_TX_BEFORE_END = 1,   /* the access was made before the end or abort of the last nested transaction */
    HD_TX_BEFORE_BEGIN = 2, /* the access was made before the begin of the last nested transaction */
};

struct hd_tx_cause {
    uint32_t event; /* event of the cause, in the other thread */
    uint32_t obj;   /* object that both access; 0: there is no cause */
};

/* Finds the latest step of another thread that may have aborted the transaction, whose events are those from number
 * `first` on.  If `when` is not 0, only a part of the transaction can conflict: its accesses that have this bit, and its
 * other events with numbers below `before`. */
struct hd_tx_cause hd_tx_conflict_cause(uint32_t first, enum hd_tx_when when, uint32_t before);

/* Adds the transaction to those that were aborted by conflicts; choice: the event that records the abort.  Returns
 * false if there is no order of the steps in which all of them can have been aborted (C3).  Otherwise obj2 of each
 * choice's event becomes the distance to its cause. */
bool hd_tx_conflict_possible(uint32_t first, uint32_t choice, enum hd_tx_when when, uint32_t before);

#endif
