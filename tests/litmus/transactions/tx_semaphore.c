/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A post inside a transaction wakes a waiter when the transaction is over. */
#include "rtm.h"

#include <semaphore.h>

static sem_t sem;
static int data;

static void *give(void *arg)
{
    data = 1;
    if (_xbegin() == _XBEGIN_STARTED) {
        sem_post(&sem);
        _xend();
    } else {
        sem_post(&sem);
    }
    return arg;
}

static void *take(void *arg)
{
    sem_wait(&sem);
    assert(data == 1);
    return arg;
}

int main(void)
{
    sem_init(&sem, 0, 0);
    run2(give, take);
    return 0;
}
