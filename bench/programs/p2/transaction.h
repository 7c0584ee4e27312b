/* SPDX-License-Identifier: BSD-2-Clause
 *
 * transaction.h - hardware transactions, as Landslide explores them: one that succeeds is a single
 * step, and each one may also be aborted for no reason when it begins.
 *
 * Both outcomes are explored (heddle_choose); what a transaction does, it does alone
 * (heddle_atomic_begin).  A transaction that aborts itself has not happened: callers do so before
 * they change anything.  Without Heddle these are not transactions. */
#ifndef TRANSACTION_H
#define TRANSACTION_H

#include "../program.h"

#include <heddle/heddle.h>

static inline bool transaction_begin(void)
{
    if (heddle_choose(2) != 0)
        return false;
    heddle_atomic_begin();
    return true;
}

static inline void transaction_end(void)
{
    heddle_atomic_end();
}

#endif
