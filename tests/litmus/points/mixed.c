/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mixed - an atomic read of a byte, and a plain write of the word around it. */
#include "points.h"

static union {
    int word;
    char byte[4];
} u;

static void *write(void *arg)
{
    *(volatile int *)&u.word = -1;
    return arg;
}

static void *read(void *arg)
{
    char one = __atomic_load_n(&u.byte[1], __ATOMIC_SEQ_CST);
    char again = __atomic_load_n(&u.byte[1], __ATOMIC_SEQ_CST);

    assert(one == again);
    return arg;
}

int main(void)
{
    run_two(write, read);
    return 0;
}
