/* SPDX-License-Identifier: BSD-2-Clause
 *
 * alarm.c - a loop that only a signal ends.  The alarm never comes, so nothing can be said.
 *
 *   alarm           the handler of the alarm ends the loop
 *   alarm off       the same, but it is switched off again: a livelock */
#include <signal.h>
#include <unistd.h>

#include "../litmus.h"

static volatile sig_atomic_t rung;

static void ring(int number)
{
    rung = number;
}

int main(int argc, char **argv)
{
    (void)argv;
    signal(SIGALRM, ring);
    alarm(1);
    if (argc > 1)
        alarm(0);
    while (!rung)
        usleep(1000);
    return 0;
}
