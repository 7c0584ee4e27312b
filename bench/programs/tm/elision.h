/* SPDX-License-Identifier: BSD-2-Clause
 *
 * elision.h - a critical section in a transaction, or under a lock when that is aborted (the lock is
 * "elided").
 *
 * A transaction looks at a flag that says whether another thread is in the other path, and aborts
 * itself then.  UNCHECKED: it does not look.  MUTEX: there are no transactions.  GNU_TM: transactions of the language
 * (gcc -fgnu-tm), without another path; with MIXED every second section takes the lock instead, which does not keep
 * transactions out. */
#ifndef ELISION_H
#define ELISION_H

#include "rtm.h"

static pthread_mutex_t fallback = PTHREAD_MUTEX_INITIALIZER;
static int is_taken;

#if defined(GNU_TM)
static int sections;

static inline void elide(void (*section)(int), int arg)
{
#ifdef MIXED
    if (atomic_add(sections, 1) % 2 == 0) {
        pthread_mutex_lock(&fallback);
        section(arg);
        pthread_mutex_unlock(&fallback);
        return;
    }
#endif
    __transaction_relaxed { section(arg); }
    (void)is_taken;
    (void)sections;
}
#elif defined(MUTEX)
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
