/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pause - main polls a flag, with a pause in each round: yield, nanosleep, usleep,
 * counted (a local variable counts the rounds).
 *
 * The worker raises the flag, or with a second argument never does: "polls" has it poll
 * the flag itself, without counting, so that one thread is parked while the other counts. */
#include <time.h>

#include "live.h"

static int flag;
static bool never, polls;

static void *worker(void *arg)
{
    while (polls && !get(flag))
        ;
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
    polls = argc > 2 && strcmp(argv[2], "polls") == 0;
    pthread_t thread = spawn(worker);

    while (!get(flag)) {
        pause_a_little();
        if (is("counted"))
            rounds++;
    }
    join(thread);
    return 0;
}
