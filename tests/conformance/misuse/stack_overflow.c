/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stack_overflow.c - endless recursion in a thread.
 * Expect: crash */
#include "../conform.h"

static __attribute__((noinline)) int deeper(volatile int *p)
{
    volatile int frame[100];

    frame[0] = *p;
    if (frame[0] == 2)
        return 0;
    return deeper(frame) + frame[0];
}

static void *worker(void *arg)
{
    int x = 1;

    return deeper(&x) == 0 ? arg : NULL;
}

int main(void)
{
    finish(start(worker, NULL));
    return 0;
}
