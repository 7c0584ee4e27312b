/* SPDX-License-Identifier: BSD-2-Clause
 *
 * waiters.h - a queue of threads that wait for a mutex or a condition. */
#ifndef WAITERS_H
#define WAITERS_H

#include "system.h"

struct waiter {
    struct thread *thread;
    int is_woken;
    struct waiter *next;
};

struct waiters {
    struct waiter *first, *last;
};

static inline void append(struct waiters *waiters, struct waiter *waiter)
{
    waiter->next = NULL;
    if (waiters->first == NULL)
        waiters->first = waiter;
    else
        waiters->last->next = waiter;
    waiters->last = waiter;
}

static inline struct waiter *remove_first(struct waiters *waiters)
{
    struct waiter *waiter = waiters->first;

    if (waiter != NULL)
        waiters->first = waiter->next;
    return waiter;
}

#endif
