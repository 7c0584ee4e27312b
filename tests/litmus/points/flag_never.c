/* SPDX-License-Identifier: BSD-2-Clause
 *
 * flag_never - a loop polls a plain flag that no thread sets unless the poller came first. */
#include "points.h"

shared int flag, polls;

static void *writer(void *arg)
{
    if (polls)
        flag = 1;
    return arg;
}

static void *reader(void *arg)
{
    polls = 1;
    while (!flag)
        ;
    return arg;
}

int main(void)
{
    run_two(writer, reader);
    return 0;
}
