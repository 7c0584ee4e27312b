/* SPDX-License-Identifier: BSD-2-Clause
 *
 * future - a value that one thread will provide and two wait for.
 *
 * Claim: both get it.  UNLOCKED: it is called ready without the lock, between a waiter's look and
 * its sleep; the waiter sleeps forever.  SIGNAL: only one of the two is woken.  READY_FIRST: the
 * value is written after it was called ready. */
#include "../program.h"

enum { WAITERS = 2, VALUE = 42 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t provided = PTHREAD_COND_INITIALIZER;
static int ready, value;

static void wake(void)
{
#ifdef SIGNAL
    pthread_cond_signal(&provided);
#else
    pthread_cond_broadcast(&provided);
#endif
}

static void provide(void)
{
#if defined(UNLOCKED)
    value = VALUE;
    atomic_write(ready, 1);
    wake();
#else
#ifndef READY_FIRST
    value = VALUE;
#endif
    pthread_mutex_lock(&lock);
    atomic_write(ready, 1);
    wake();
    pthread_mutex_unlock(&lock);
#ifdef READY_FIRST
    value = VALUE;
#endif
#endif
}

static void *wait_for_it(void *arg)
{
    pthread_mutex_lock(&lock);
    while (!atomic_read(ready))
        pthread_cond_wait(&provided, &lock);
    pthread_mutex_unlock(&lock);
    assert(value == VALUE);
    return arg;
}

int main(void)
{
    pthread_t waiters[WAITERS];

    for (int i = 0; i < WAITERS; i++)
        waiters[i] = spawn(wait_for_it);
    provide();
    for (int i = 0; i < WAITERS; i++)
        join(waiters[i]);
    return 0;
}
