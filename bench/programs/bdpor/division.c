/* SPDX-License-Identifier: BSD-2-Clause
 *
 * division - one thread divides by a number that another sets to 0 (bounded-DPOR study,
 * listings 2.1 and 2.2).
 *
 * Claim: no thread divides by 0.  The divider looks whether the number is 0 before it
 * divides, and reads it again to divide (CHECK_THEN_USE: false when the other comes
 * between; without: it divides by what it looked at).  SEQUENTIAL: it does not look; the
 * same failure, and often without a preemption.  All accesses are visible. */
#include "../program.h"

static int x = 1;
static volatile int quotient;

static void *divide(void *arg)
{
    int seen = visible_read(x);

#ifndef SEQUENTIAL
    if (seen == 0)
        return arg;
#endif
#ifdef CHECK_THEN_USE
    seen = visible_read(x);
#endif
    quotient = 10 / seen;
    return arg;
}

static void *clear(void *arg)
{
    visible_write(x, 0);
    return arg;
}

int main(void)
{
    pthread_t divider = spawn(divide), zero = spawn(clear);

    join(divider);
    join(zero);
    return 0;
}
