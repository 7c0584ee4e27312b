/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tx_conflict.h - the step of another thread that may have aborted the running transaction.
 *
 * C1  A step can abort a transaction if it comes before the transaction, conflicts with it, and does not happen
 *     before the last event of the transaction's thread.  Then the transaction may have begun before the step.  In
 *     that case it has made the same accesses, at least up to the first conflicting one, and the step aborts it.  A
 *     transaction that was aborted by a choice is not such a step, because it may never have made its accesses.
 * C2  For this, the transaction counts as an access to everything that it has touched, whether it commits or not.  So
 *     the events that happen before it determine which steps may abort it, and a reduction finds the same choice in
 *     every order of independent steps.
 * C3  Several conflicts of one execution must have causes together: a transaction that began before its cause has its
 *     past before that, too.  So there must be an order of the steps, with all that happens before each other kept in
 *     order, in which each of these transactions begins before a step that may have aborted it.  Otherwise the execution
 *     is cut.  Whether there is such an order follows from what happens before what, and fewer conflicts leave more
 *     orders; so no order of independent steps hides an execution from a reduction. */
#ifndef HD_RUNTIME_WATCH_TX_CONFLICT_H
#define HD_RUNTIME_WATCH_TX_CONFLICT_H

#include <stdbool.h>
#include <stdint.h>

void hd_tx_conflict_start(void);
/* An execution begins. */
void hd_tx_conflict_begin(void);

/* Bits in aux of a transactional read or write. */
enum hd_tx_when {
    HD_TX_BEFORE_END = 1,   /* it was made before the last nested transaction ended, or was aborted */
    HD_TX_BEFORE_BEGIN = 2, /* it was made before the last nested transaction began */
};

struct hd_tx_cause {
    uint32_t event; /* event of the other thread */
    uint32_t obj;   /* object that both touch; 0: there is no such step */
};

/* Finds the latest step that may have aborted the transaction whose events are those from `first` to the end.
 * when: if not 0, only accesses with this bit count, and operations before that event. */
struct hd_tx_cause hd_tx_conflict_cause(uint32_t first, enum hd_tx_when when, uint32_t before);

/* The transaction was aborted by such a step; choice: the event that says so.  Returns false if there is no order of the
 * steps in which it and those before it can have been aborted.  Otherwise the event of each choice gets the distance to
 * its cause. */
bool hd_tx_conflict_possible(uint32_t first, uint32_t choice, enum hd_tx_when when, uint32_t before);

#endif
