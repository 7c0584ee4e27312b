/* SPDX-License-Identifier: BSD-2-Clause
 *
 * workers A B - two workers make A and B visible writes; main joins the first,
 * then the second.
 *
 * Claim: none; it is there to be counted.  If r of the first worker's A + 1
 * steps are left when the second is created, these and the first join are one
 * chain that merges with the B + 1 steps of the second: C(r+1+B+1, B+1).  Summed
 * over r = 0 .. A + 1 that is C(A+B+4, B+2) - 1. */
#include "../litmus.h"

static int shared;
static int rounds[2];

static void write_often(int times)
{
    for (int i = 0; i < times; i++)
        visible_write(shared, i);
}

static void *first(void *arg)
{
    write_often(rounds[0]);
    return arg;
}

static void *second(void *arg)
{
    write_often(rounds[1]);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t a, b;

    rounds[0] = argc > 1 ? atoi(argv[1]) : 1;
    rounds[1] = argc > 2 ? atoi(argv[2]) : 1;
    a = spawn(first);
    b = spawn(second);
    join(a);
    join(b);
    return 0;
}
