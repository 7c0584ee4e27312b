/* SPDX-License-Identifier: BSD-2-Clause
 *
 * same_value - two threads write the same value: a race, but its orders cannot be distinguished. */
#include "points.h"

shared int done;

static void *finish(void *arg)
{
    done = 1;
    return arg;
}

int main(void)
{
    run_two(finish, finish);
    assert(done == 1);
    return 0;
}
