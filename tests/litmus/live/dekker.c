/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dekker - mutual exclusion by flags that are lowered when both are up.
 *
 * fixed: only the thread whose turn it is not lowers its flag, until the turn is
 * its own.  bug: both lower and raise them in step, forever. */
#include "live.h"

static int raised[2], turn, inside;

static void give_way(intptr_t me)
{
    if (is("bug")) {
        put(raised[me], 0);
        sched_yield();
        put(raised[me], 1);
    } else if (get(turn) != me) {
        put(raised[me], 0);
        while (get(turn) != me)
            sched_yield();
        put(raised[me], 1);
    }
}

static void *body(void *arg)
{
    intptr_t me = (intptr_t)arg;

    put(raised[me], 1);
    while (get(raised[1 - me]))
        give_way(me);
    inside++;
    assert(inside == 1);
    inside--;
    put(turn, 1 - (int)me);
    put(raised[me], 0);
    return NULL;
}

int main(int argc, char **argv)
{
    take_variant(argc, argv);
    run_both(body);
    return 0;
}
