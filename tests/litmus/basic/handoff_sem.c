/* SPDX-License-Identifier: BSD-2-Clause
 *
 * handoff_sem - main hands a value over with a semaphore.
 *
 * Claim: the worker finds the value.  Its wait comes after the post; only its
 * start and the post can be swapped: 2 orders. */
#include <semaphore.h>

#include "../litmus.h"

static sem_t ready;
static int value;

static void *work(void *arg)
{
    sem_wait(&ready);
    assert(value == 1);
    return arg;
}

int main(void)
{
    pthread_t worker;

    sem_init(&ready, 0, 0);
    worker = spawn(work);
    value = 1;
    sem_post(&ready);
    join(worker);
    return 0;
}
