/* SPDX-License-Identifier: BSD-2-Clause
 *
 * semaphore - a semaphore of a mutex and a condition.
 *
 * Two threads wait for one unit each, a third posts two.  Claim: no thread takes a unit that is not
 * there, and no thread waits forever.  IF: a thread that wakes up does not look again, though another may have
 * taken the unit before it.  ONLY_IF_ZERO: posting wakes a thread only when there was no unit: of
 * two posts in a row the second wakes no thread, though two wait.  NO_SIGNAL: posting wakes no thread. */
#include "../program.h"

enum { WAITERS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t posted = PTHREAD_COND_INITIALIZER;
static int units;

static void take(void)
{
    pthread_mutex_lock(&lock);
#ifdef IF
    if (units == 0)
        pthread_cond_wait(&posted, &lock);
#else
    while (units == 0)
        pthread_cond_wait(&posted, &lock);
#endif
    units--;
    assert(units >= 0);
    pthread_mutex_unlock(&lock);
}

static void post(void)
{
    pthread_mutex_lock(&lock);
    units++;
#if defined(ONLY_IF_ZERO)
    if (units == 1)
        pthread_cond_signal(&posted);
#elif !defined(NO_SIGNAL)
    pthread_cond_signal(&posted);
#endif
    pthread_mutex_unlock(&lock);
}

static void *waiter(void *arg)
{
    take();
    return arg;
}

static void *poster(void *arg)
{
    for (int i = 0; i < WAITERS; i++)
        post();
    return arg;
}

int main(void)
{
    pthread_t posts = spawn(poster), waiters[WAITERS];

    for (int i = 0; i < WAITERS; i++)
        waiters[i] = spawn(waiter);
    join(posts);
    for (int i = 0; i < WAITERS; i++)
        join(waiters[i]);
    assert(units == 0);
    return 0;
}
