/* SPDX-License-Identifier: BSD-2-Clause
 *
 * own_stack - a variable on the stack of main, which both threads change. */
#include "points.h"

static void *add(void *arg)
{
    volatile int *x = arg;

    *x = *x + 1;
    return arg;
}

int main(void)
{
    volatile int x = 0;
    pthread_t other;

    if (pthread_create(&other, NULL, add, (void *)&x) != 0)
        return 77;
    x = x + 1;
    join(other);
    assert(x == 2);
    return 0;
}
