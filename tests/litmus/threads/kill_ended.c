/* SPDX-License-Identifier: BSD-2-Clause
 *
 * kill_ended - a signal to a thread that has perhaps ended: then no thread gets it. */
#include <signal.h>
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int handled;

static void handle(int number)
{
    (void)number;
    atomic_store(&handled, 1);
}

static void *do_nothing(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t one, other;

    signal(SIGUSR1, handle);
    one = spawn(do_nothing);
    other = spawn(do_nothing);
    join(other);
    pthread_kill(one, SIGUSR1);
    join(one);
    assert(atomic_load(&handled) == 0);
    return 0;
}
