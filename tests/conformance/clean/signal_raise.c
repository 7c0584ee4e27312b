/* SPDX-License-Identifier: BSD-2-Clause
 *
 * signal_raise.c - a signal that a thread raises is handled on that thread, before raise
 * returns. */
#include <signal.h>

#include "../conform.h"

static volatile sig_atomic_t handled;
static pthread_t handler_thread;

static void handler(int sig)
{
    handled = sig;
    handler_thread = pthread_self();
}

static void *worker(void *arg)
{
    IS(raise(SIGUSR1), 0);
    IS(handled, SIGUSR1);
    IS(pthread_equal(handler_thread, pthread_self()) != 0, 1);
    return arg;
}

int main(void)
{
    struct sigaction act = {.sa_handler = handler};

    IS(sigaction(SIGUSR1, &act, NULL), 0);
    finish(start(worker, NULL));
    IS(handled, SIGUSR1);
    return 0;
}
