/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cancel_sigwait.c - a thread is cancelled while it waits for a signal that never
 * comes.
 * Reduction: threads are cancelled */
#include <semaphore.h>
#include <signal.h>

#include "../conform.h"

static sem_t ready;
static sigset_t set;

static void *victim(void *arg)
{
    int sig;

    sem_post(&ready);
    sigwait(&set, &sig);
    return arg;
}

int main(void)
{
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    IS(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
    IS(sem_init(&ready, 0, 0), 0);
    pthread_t t = start(victim, NULL);

    IS(sem_wait(&ready), 0);
    IS(pthread_cancel(t), 0);
    IS(finish(t) == PTHREAD_CANCELED, 1);
    return 0;
}
