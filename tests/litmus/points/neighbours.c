/* SPDX-License-Identifier: BSD-2-Clause
 *
 * neighbours - two threads write neighbouring ints: 1 class, because they have no unit of memory in common. */
#include "points.h"

shared int pair[2];

static void *left(void *arg)
{
    pair[0] = 1;
    return arg;
}

static void *right(void *arg)
{
    pair[1] = 1;
    return arg;
}

int main(void)
{
    run_two(left, right);
    return 0;
}
