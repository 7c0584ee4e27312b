/* SPDX-License-Identifier: BSD-2-Clause
 *
 * copy - memcpy into the middle of what another thread writes, or beside it. */
#include "races.h"

static char from[64], to[96];

static void *copy(void *arg)
{
    size_t n = sizeof from;

    __asm__ volatile("" : "+r"(n)); /* a call, not code in its place */
    memcpy(to, from, n);
    return arg;
}

static void *touch(void *arg)
{
    PUT(to[is("inside") ? 40 : 64], 1);
    return arg;
}

int main(int argc, char **argv)
{
    return run_two(argc, argv, copy, touch);
}
