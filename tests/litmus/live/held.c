/* SPDX-License-Identifier: BSD-2-Clause
 *
 * held - main waits in a loop that counts in a register.  After its first two rounds, of
 * which one is the first to know of and one the first to be compared with, --loop-bound
 * idle ones are followed; then it is held until the flag is up, and goes on.  That
 * execution has an end like any other: what is checked there counts.
 *
 * With an argument the check is about one round more, which is beyond the bound. */
#include <heddle/heddle.h>

#include "live.h"

static int flag, waited, most;

static void *raise_flag(void *arg)
{
    put(flag, 1);
    return arg;
}

static void check(void *arg)
{
    (void)arg;
    heddle_assert(waited < most);
}

int main(int argc, char **argv)
{
    int rounds = 0;

    (void)argv;
    most = argc > 1 ? 6 : 5;
    heddle_at_end(check, NULL);
    pthread_t thread = spawn(raise_flag);

    while (!get(flag))
        rounds++;
    waited = rounds;
    join(thread);
    return 0;
}
