/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lost_update_bug - x++ of two threads.  The claim that both count is wrong. */
#include "points.h"

shared int x;

static void *increment(void *arg)
{
    x = x + 1;
    return arg;
}

int main(void)
{
    run_two(increment, increment);
    assert(x == 2);
    return 0;
}
