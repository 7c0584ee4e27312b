/* SPDX-License-Identifier: BSD-2-Clause
 *
 * peterson - mutual exclusion by flags, waiting with sched_yield.
 *
 * fixed: the last comer waits.  bug: no thread gives way, so two raised flags wait for
 * each other. */
#include "live.h"

static int raised[2], turn, inside;

static void *body(void *arg)
{
    intptr_t me = (intptr_t)arg;

    put(raised[me], 1);
    if (!is("bug"))
        put(turn, 1 - (int)me);
    while (get(raised[1 - me]) && (is("bug") || get(turn) != me))
        sched_yield();
    inside++;
    assert(inside == 1);
    inside--;
    put(raised[me], 0);
    return NULL;
}

int main(int argc, char **argv)
{
    take_variant(argc, argv);
    run_both(body);
    return 0;
}
