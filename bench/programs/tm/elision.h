/* SPDX-License-Identifier: BSD-2-Clause
 *
 * elision.h - a critical section in a transaction, or under a lock when that is aborted (the lock is
 * "elided").
 *
 * A transaction looks at a flag that says whether another thread is in the other path, and aborts
 * itself then.  UNCHECKED: it does not look.  MUTEX: there are no transactions. */
#ifndef ELISION_H
#define ELISION_H

#include "rtm.h"

static pthread_mutex_t fallback = PTHREAD_MUTEX_INITIALIZER;
static int is_taken;

#ifdef MUTEX
static inline void elide(void (*section)(int), int arg)
{
    pthread_mutex_lock(&fallback);
    section(arg);
    pthread_mutex_unlock(&fallback);
}
#else
static inline void elide(void (*section)(int), int arg)
{
    if (transaction_begin()) {
#ifndef UNCHECKED
        if (atomic_read(is_taken))
            _xabort(1);
#endif
        section(arg);
        _xend();
        return;
    }
    pthread_mutex_lock(&fallback);
    atomic_write(is_taken, 1);
    section(arg);
    atomic_write(is_taken, 0);
    pthread_mutex_unlock(&fallback);
}
#endif

#endif
