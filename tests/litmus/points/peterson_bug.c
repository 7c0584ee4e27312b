/* SPDX-License-Identifier: BSD-2-Clause
 *
 * peterson_bug - mutual exclusion after Peterson, but no thread announces that it wants to enter. */
#include "points.h"

shared int want[2], turn, inside;

static void enter(int me)
{
    turn = 1 - me;
    while (want[1 - me] && turn == 1 - me)
        ;
    assert(++inside == 1);
    inside--;
    want[me] = 0;
}

static void *first(void *arg)
{
    enter(0);
    return arg;
}

static void *second(void *arg)
{
    enter(1);
    return arg;
}

int main(void)
{
    run_two(first, second);
    return 0;
}
