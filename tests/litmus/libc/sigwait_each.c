/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sigwait_each.c - two threads wait for the same signal, and each is sent its own: to the kernel,
 * which knows one thread only, both would be one.
 *
 *   sigwait_each         both are sent it, while the sender itself lets it in
 *   sigwait_each one     only the first is: the second waits forever */
#include <signal.h>

#include "../litmus.h"

static sigset_t set;
static pthread_barrier_t ready;

static void *waiter(void *unused)
{
    int sig = 0;

    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_barrier_wait(&ready);
    assert(sigwait(&set, &sig) == 0 && sig == SIGUSR1);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t threads[2];

    (void)argv;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_barrier_init(&ready, NULL, 3);
    threads[0] = spawn(waiter);
    threads[1] = spawn(waiter);
    pthread_barrier_wait(&ready);
    pthread_kill(threads[0], SIGUSR1);
    if (argc == 1)
        pthread_kill(threads[1], SIGUSR1);
    join(threads[0]);
    join(threads[1]);
    return 0;
}
