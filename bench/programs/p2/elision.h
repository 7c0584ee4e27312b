/* SPDX-License-Identifier: BSD-2-Clause
 *
 * elision.h - a critical section in a transaction, or under a lock when that is aborted (the lock is
 * "elided").
 *
 * A transaction looks at a flag that says whether another thread is in the other path, and gives up
 * then.  UNCHECKED: it does not look.  MUTEX: there are no transactions. */
#ifndef ELISION_H
#define ELISION_H

#include "transaction.h"

static pthread_mutex_t fallback = PTHREAD_MUTEX_INITIALIZER;
static int is_taken;

static inline bool in_transaction(void (*section)(int), int arg)
{
    bool is_alone = true;

#ifdef MUTEX
    return false;
#endif
    if (!transaction_begin())
        return false;
#ifndef UNCHECKED
    is_alone = !atomic_read(is_taken);
#endif
    if (is_alone)
        section(arg);
    transaction_end();
    return is_alone;
}

static inline void elide(void (*section)(int), int arg)
{
    if (in_transaction(section, arg))
        return;
    pthread_mutex_lock(&fallback);
    atomic_write(is_taken, 1);
    section(arg);
    atomic_write(is_taken, 0);
    pthread_mutex_unlock(&fallback);
}

#endif
