/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pause - main polls a flag, with a pause in each round: yield, nanosleep, usleep,
 * counted (a local variable counts the rounds).
 *
 * The worker raises the flag, or with a second argument never does. */
#include <time.h>

#include "live.h"

static int flag;
static bool never;

static void *worker(void *arg)
{
    put(flag, never ? 0 : 1);
    return arg;
}

static void pause_a_little(void)
{
    struct timespec t = { 0, 1000 };

    if (is("nanosleep"))
        nanosleep(&t, NULL);
    else if (is("usleep"))
        usleep(1);
    else
        sched_yield();
}

int main(int argc, char **argv)
{
    volatile int rounds = 0;

    take_variant(argc, argv);
    never = argc > 2;
    pthread_t thread = spawn(worker);

    while (!get(flag)) {
        pause_a_little();
        if (is("counted"))
            rounds++;
    }
    join(thread);
    return 0;
}
