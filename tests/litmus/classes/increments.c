/* SPDX-License-Identifier: BSD-2-Clause
 *
 * increments - two threads make x++ of a visible read and a visible write.
 *
 * Claim: none.  4 classes: each thread reads before or after the other's write,
 * which gives three (both before, first after, second after), and where both read
 * before, the order of the writes gives one more. */
#include "classes.h"

static int x;

static void *increment(void *arg)
{
    int seen = visible_read(x);

    visible_write(x, seen + 1);
    return arg;
}

int main(void)
{
    run_threads(2, increment);
    return 0;
}
