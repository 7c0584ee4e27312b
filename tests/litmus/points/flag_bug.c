/* SPDX-License-Identifier: BSD-2-Clause
 *
 * flag_bug - a loop polls a plain flag that is set before the data. */
#include "points.h"

shared int flag, data;

static void *writer(void *arg)
{
    flag = 1;
    data = 42;
    return arg;
}

static void *reader(void *arg)
{
    while (!flag)
        ;
    assert(data == 42);
    return arg;
}

int main(void)
{
    run_two(writer, reader);
    return 0;
}
