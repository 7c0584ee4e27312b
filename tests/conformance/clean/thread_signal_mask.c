/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_signal_mask.c - each thread has its own signal mask, inherited from its
 * creator; signal 0 tests for life. */
#include <signal.h>

#include "../conform.h"

static void *worker(void *arg)
{
    sigset_t set;

    IS(pthread_sigmask(SIG_BLOCK, NULL, &set), 0);
    IS(sigismember(&set, SIGUSR1), 1);
    IS(sigismember(&set, SIGUSR2), 0);
    IS(sigaddset(&set, SIGUSR2), 0);
    IS(pthread_sigmask(SIG_SETMASK, &set, NULL), 0);
    return arg;
}

int main(void)
{
    sigset_t set;

    IS(sigemptyset(&set), 0);
    IS(sigaddset(&set, SIGUSR1), 0);
    IS(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
    finish(start(worker, NULL));
    IS(pthread_sigmask(SIG_BLOCK, NULL, &set), 0);
    IS(sigismember(&set, SIGUSR2), 0);
    IS(pthread_kill(pthread_self(), 0), 0);
    IS(pthread_kill(pthread_self(), 1000), EINVAL);
    return 0;
}
