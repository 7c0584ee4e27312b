/* SPDX-License-Identifier: BSD-2-Clause
 *
 * readers - two threads only read: no race; a third that writes races with both. */
#include "races.h"

static int x = 1;

static void *reader(void *arg)
{
    (void)GET(x);
    return arg;
}

static void *second(void *arg)
{
    if (is("writer"))
        PUT(x, 2);
    else
        (void)GET(x);
    return arg;
}

int main(int argc, char **argv)
{
    return run_two(argc, argv, reader, second);
}
