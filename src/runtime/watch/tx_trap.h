/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tx_trap.h - transactional instructions that heddle cc has not replaced, on processors without transactions, where they
 * raise SIGILL.
 *
 * Nothing of their transactions is seen, so none of them can be undone.  Each is aborted at its begin with status 0, as by
 * processors on which transactions are disabled, and an entry of the ledger names the place.  Inside a transaction that heddle
 * cc has replaced, such an instruction aborts that one.
 *
 * On processors that execute the instructions nothing is trapped.  The code is named as not instrumented. */
#ifndef HD_RUNTIME_WATCH_TX_TRAP_H
#define HD_RUNTIME_WATCH_TX_TRAP_H

#include <stdbool.h>

/* For the SIGILL handler: if the faulting instruction is xbegin, xabort or xtest, or in a transaction xend, emulates it
 * and returns true. */
bool hd_tx_trap(void *context);

#endif
