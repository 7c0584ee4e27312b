/* SPDX-License-Identifier: BSD-2-Clause
 *
 * filters - x++ of two threads, reached by two ways: take < allocate < create < thread,
 * or, with an argument, take < wait < finish < thread.  For --within and --without
 * (tests/cli/points.bats): 4 classes where x++ is points, 1 where it is not. */
#include "points.h"

#define FUNCTION __attribute__((noinline, noclone)) static void
#define CALL(f) do { f(); __asm__ volatile(""); } while (0) /* no jump in place of a call */

shared int x;

FUNCTION take(void)
{
    x = x + 1;
}

FUNCTION allocate(void)
{
    CALL(take);
}

FUNCTION create(void)
{
    CALL(allocate);
}

FUNCTION wait_for_it(void)
{
    CALL(take);
}

FUNCTION finish(void)
{
    CALL(wait_for_it);
}

static void *creator(void *arg)
{
    CALL(create);
    return arg;
}

static void *finisher(void *arg)
{
    CALL(finish);
    return arg;
}

int main(int argc, char **argv)
{
    void *(*body)(void *) = argc > 1 ? finisher : creator;

    (void)argv;
    run_two(body, body);
    return 0;
}
