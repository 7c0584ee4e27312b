/* SPDX-License-Identifier: BSD-2-Clause
 *
 * robust_busy - a thread is about to end while it holds a robust mutex.
 *
 * Claim: another thread, which knows that the first one has locked the mutex, never finds it
 * busy.  False until the first thread has ended. */
#define _GNU_SOURCE
#include "../litmus/litmus.h"

#include <errno.h>
#include <stdatomic.h>

static atomic_int taken;
static pthread_mutex_t lock;

static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    taken = 1;
    return arg;
}

int main(void)
{
    pthread_mutexattr_t attributes;

    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &attributes);
    pthread_t other = spawn(work);
    int seen = taken, error = pthread_mutex_trylock(&lock);

    assert(!(seen && error == EBUSY));
    if (error == EOWNERDEAD)
        pthread_mutex_consistent(&lock);
    if (error != EBUSY)
        pthread_mutex_unlock(&lock);
    join(other);
    return 0;
}
