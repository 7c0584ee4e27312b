/* SPDX-License-Identifier: BSD-2-Clause
 *
 * flag - a loop polls a plain flag that is set after the data: a race, but under sequential
 * consistency no harm comes of it. */
#include "points.h"

shared int flag, data;

static void *writer(void *arg)
{
    data = 42;
    flag = 1;
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
