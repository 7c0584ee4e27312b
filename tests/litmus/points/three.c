/* SPDX-License-Identifier: BSD-2-Clause
 *
 * three - a race that only an order of others shows: the third thread writes where it was told to
 * by a racing value. */
#include "points.h"

shared int a, b;

static void *first(void *arg)
{
    a = 1;
    return arg;
}

static void *second(void *arg)
{
    if (a)
        b = 1;
    return arg;
}

static void *third(void *arg)
{
    int before = b;

    assert(before == b);
    return arg;
}

int main(void)
{
    pthread_t c = spawn(third);

    run_two(first, second);
    join(c);
    return 0;
}
