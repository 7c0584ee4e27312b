/* SPDX-License-Identifier: BSD-2-Clause
 *
 * broadcast_test - WAITERS threads wait for a flag under a lock, main raises it and broadcasts
 * (Landslide's broadcast_test with one, broadcast_two_waiters with two).
 *
 * Claim: all go on.  Mistakes: COND_UNLOCK_FIRST, COND_NO_REJECT, COND_NODE_LATE, BROADCAST_ONE
 * (library.h). */
#include "library.h"

#ifndef WAITERS
#define WAITERS 1
#endif

static struct mutex mutex;
static struct cond changed;
static bool is_ready;

static void *waiter(void *arg)
{
    mutex_lock(&mutex);
    while (!is_ready)
        cond_wait(&changed, &mutex);
    mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    begin_main();
    mutex_init(&mutex);
    cond_init(&changed);
    for (int i = 1; i <= WAITERS; i++)
        start(i, waiter, NULL);
    mutex_lock(&mutex);
    is_ready = true;
    cond_broadcast(&changed);
    mutex_unlock(&mutex);
    for (int i = 1; i <= WAITERS; i++)
        await_end(i);
    return 0;
}
