/* SPDX-License-Identifier: BSD-2-Clause
 *
 * exit_blocked - main returns while a worker is blocked forever.
 *
 * Claim: that is no deadlock, because the exit ends the worker too.  Only the
 * worker's start and main's exit can be swapped: 2 orders. */
#include <semaphore.h>

#include "../litmus.h"

static sem_t never;

static void *work(void *arg)
{
    sem_wait(&never);
    return arg;
}

int main(void)
{
    sem_init(&never, 0, 0);
    spawn(work);
    return 0;
}
