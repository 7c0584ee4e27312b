/* SPDX-License-Identifier: BSD-2-Clause
 *
 * restart.c - each execution starts from the state that the process had at main: data,
 * arguments, environment, libc's state, signals, leftovers.
 * Compiler: -lm */
#include <fenv.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "../conform.h"

static int initialised = 3, zeroed;
static int big[5000];
static atomic_int steps;

static int count_calls(void)
{
    static int calls;

    return ++calls;
}

static void handler(int sig)
{
    (void)sig;
}

static void *worker(void *arg)
{
    atomic_fetch_add(&steps, 1);
    return arg;
}

int main(int argc, char **argv)
{
    struct sigaction old;
    sigset_t set;

    IS(argc, 1);
    IS(argv[0][0] != '#', 1);
    IS(initialised == 3 && zeroed == 0 && big[4999] == 0 && steps == 0, 1);
    IS(count_calls(), 1);
    IS(getenv("HEDDLE_CONFORMANCE") == NULL, 1);
    IS(rand(), 1804289383);
    IS(fegetround(), FE_TONEAREST);
    IS(sigaction(SIGUSR1, NULL, &old), 0);
    IS(old.sa_handler == SIG_DFL, 1);
    IS(sigprocmask(SIG_BLOCK, NULL, &set), 0);
    IS(sigismember(&set, SIGUSR2), 0);

    argv[0][0] = '#';
    initialised = 4;
    zeroed = 1;
    big[4999] = 1;
    IS(setenv("HEDDLE_CONFORMANCE", "1", 1), 0);
    IS(fesetround(FE_UPWARD), 0);
    IS(signal(SIGUSR1, handler) == SIG_DFL, 1);
    IS(sigaddset(&set, SIGUSR2), 0);
    IS(sigprocmask(SIG_SETMASK, &set, NULL), 0);
    pthread_t a = start(worker, NULL), b = start(worker, NULL);
    finish(a);
    finish(b);
    return 0;
}
