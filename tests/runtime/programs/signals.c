/* SPDX-License-Identifier: BSD-2-Clause
 *
 * signals.c - dispositions, masks and alternate stacks are as at the start. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "state.h"

static volatile sig_atomic_t caught;
static char alternate[65536];

static void on_signal(int number)
{
    caught += number;
}

static void check_start(void)
{
    struct sigaction action;
    sigset_t mask;
    stack_t stack;

    for (int number = 1; number < 32; number++) {
        if (sigaction(number, NULL, &action) == 0)
            assert(action.sa_handler == SIG_DFL || number == SIGPIPE);
        pthread_sigmask(SIG_BLOCK, NULL, &mask);
        assert(!sigismember(&mask, number));
    }
    assert(sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_DISABLE));
    assert(caught == 0 && alarm(0) == 0);
}

/* Masks belong to threads; a new one has its creator's. */
static void *masked(void *arg)
{
    sigset_t mask;

    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    assert(sigismember(&mask, SIGUSR2) && !sigismember(&mask, SIGUSR1));
    sigaddset(&mask, SIGTERM);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    echo(3);
    raise(SIGUSR1);
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    assert(sigismember(&mask, SIGTERM));
    return arg;
}

int main(void)
{
    struct sigaction action = { .sa_handler = on_signal };
    stack_t stack = { .ss_sp = alternate, .ss_size = sizeof alternate };
    sigset_t mask;
    pthread_t thread;

    check_start();
    assert(sigaction(SIGUSR1, &action, NULL) == 0);
    assert(signal(SIGINT, SIG_IGN) == SIG_DFL);
    assert(sigaltstack(&stack, NULL) == 0);
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR2);
    assert(pthread_sigmask(SIG_BLOCK, &mask, NULL) == 0);
    pthread_create(&thread, NULL, masked, NULL);
    echo(3);
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    assert(!sigismember(&mask, SIGTERM));
    pthread_join(thread, NULL);
    assert(caught == SIGUSR1);
    alarm(1000);
    return 0;
}
