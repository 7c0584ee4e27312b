/* SPDX-License-Identifier: BSD-2-Clause
 *
 * signal_mask_own.c - what one thread blocks is not blocked for another. */
#include <semaphore.h>
#include <signal.h>

#include "../conform.h"

static volatile sig_atomic_t handled;
static sem_t blocked, done;

static void handler(int sig)
{
    handled = sig;
}

static void *blocker(void *arg)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    IS(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
    sem_post(&blocked);
    sem_wait(&done);
    return arg;
}

int main(void)
{
    struct sigaction act = {.sa_handler = handler};

    IS(sigaction(SIGUSR1, &act, NULL), 0);
    IS(sem_init(&blocked, 0, 0), 0);
    IS(sem_init(&done, 0, 0), 0);
    pthread_t t = start(blocker, NULL);

    IS(sem_wait(&blocked), 0);
    IS(raise(SIGUSR1), 0);
    IS(handled, SIGUSR1);
    IS(sem_post(&done), 0);
    finish(t);
    return 0;
}
