/* SPDX-License-Identifier: BSD-2-Clause
 *
 * increments - two threads make x++ of plain accesses; no claim.
 *
 * As many classes as with atomics (classes/increments): 4.  Two racing sites, the read and
 * the write, and the first execution shows both: whichever thread runs second reads what
 * the other wrote and writes what the other read.  So there are 2 passes, and 1 execution
 * is discarded. */
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
    return 0;
}
