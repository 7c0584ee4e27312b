/* SPDX-License-Identifier: BSD-2-Clause
 *
 * turns - two threads hand a flag to each other.
 *
 * fixed: three times each.  bug: forever.  plain: forever, by a plain variable. */
#include "live.h"

static int turn;
static volatile int plain_turn;

static void *body(void *arg)
{
    int me = (int)(intptr_t)arg;

    for (int i = 0; i < 3; i += is("fixed")) {
        while (get(turn) != me)
            sched_yield();
        put(turn, 1 - me);
    }
    return NULL;
}

static void *plain_body(void *arg)
{
    int me = (int)(intptr_t)arg;

    for (;;) {
        if (plain_turn == me)
            plain_turn = 1 - me;
        sched_yield();
    }
    return NULL;
}

int main(int argc, char **argv)
{
    take_variant(argc, argv);
    run_both(is("plain") ? plain_body : body);
    return 0;
}
