/* SPDX-License-Identifier: BSD-2-Clause
 *
 * handler_section - a handler of a signal that is raised inside a section adds to what
 * another section adds to.
 *
 * Claim: both are added, in one order or the other.  A search that cuts an execution off
 * inside of the handler must not leave the signal blocked, as it is there, for the next one. */
#include "points.h"

#include <signal.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
shared int x;

static void handle(int signal)
{
    x = x * 3 + (signal == SIGUSR1);
}

static void *one(void *arg)
{
    pthread_mutex_lock(&mutex);
    raise(SIGUSR1);
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void *other(void *arg)
{
    pthread_mutex_lock(&mutex);
    x = x * 3 + 2;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    signal(SIGUSR1, handle);
    run_two(one, other);
    assert(x == 5 || x == 7);
    return 0;
}
