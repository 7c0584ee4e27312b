/* SPDX-License-Identifier: BSD-2-Clause
 *
 * eintr - a handler runs in a thread that waits for a semaphore.
 *
 * Claim: the wait does not fail.  False: it ends with EINTR. */
#define _GNU_SOURCE
#include "../litmus/litmus.h"

#include <semaphore.h>
#include <signal.h>

static sem_t semaphore;

static void handler(int number)
{
    (void)number;
}

static void *work(void *arg)
{
    assert(sem_wait(&semaphore) == 0);
    return arg;
}

int main(void)
{
    struct sigaction action = { .sa_handler = handler };

    sigaction(SIGUSR1, &action, NULL);
    sem_init(&semaphore, 0, 0);
    pthread_t other = spawn(work);

    pthread_kill(other, SIGUSR1);
    sem_post(&semaphore);
    join(other);
    return 0;
}
