/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lock - a library's lock that is elided: lock() begins a transaction, unlock() ends it, and only when
 * it was aborted is the lock taken (Landslide's lock; with FAST its lock_fast).
 *
 * Claim: the critical section is exclusive.  The lock is a spin lock whose waiters only read it;
 * TEST_AND_SET: they write it in each round, which aborts every transaction that looked at it; MUTEX: it
 * is a mutex with a flag.  FAST: nobody takes the lock, so that each critical section is in a transaction
 * (the threads have nothing else in common that aborts them for good).
 *
 * Mistakes.  UNCHECKED: a transaction does not look whether the lock is taken.  NO_RETRY (with FAST): an
 * abort for which the processor advises another try takes the lock at once. */
#include "rtm.h"

static int word;    /* 1: taken */
static int counter; /* what the lock guards */

#ifdef MUTEX
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void take(void)
{
    pthread_mutex_lock(&mutex);
    atomic_write(word, 1);
}

static void release(void)
{
    atomic_write(word, 0);
    pthread_mutex_unlock(&mutex);
}
#else
static void take(void)
{
    while (atomic_swap(word, 1) != 0) {
#ifndef TEST_AND_SET
        while (atomic_read(word) != 0)
            continue;
#endif
    }
}

static void release(void)
{
    atomic_write(word, 0);
}
#endif

/* Is another try worth while after this status? */
static bool is_retried(unsigned status)
{
#if defined(FAST) && !defined(NO_RETRY)
    return status & _XABORT_RETRY;
#else
    (void)status;
    return false;
#endif
}

static void lock(void)
{
    unsigned status;

    do {
        status = _xbegin();
        if (status == _XBEGIN_STARTED) {
#ifndef UNCHECKED
            if (atomic_read(word) != 0)
                _xabort(0xff);
#endif
            return;
        }
    } while (is_retried(status));
    take();
}

static void unlock(void)
{
    if (_xtest())
        _xend();
    else
        release();
}

static void *work(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        lock();
#ifdef FAST
        assert(_xtest());
#endif
        int seen = visible_read(counter);

        visible_write(counter, seen + 1);
        unlock();
    }
    return arg;
}

int main(void)
{
    run_threads(work);
    assert(counter == THREADS * ROUNDS);
    return 0;
}
