/* SPDX-License-Identifier: BSD-2-Clause
 *
 * inline_asm - a counter that is read and written by inline assembly.
 *
 * Claim: no increment is lost.  False. */
#include "../litmus/litmus.h"

static int counter;

static int get(void)
{
    int value;

    __asm__ volatile("movl %1, %0" : "=r"(value) : "m"(counter));
    return value;
}

static void set(int value)
{
    __asm__ volatile("xchgl %0, %1" : "+r"(value), "+m"(counter));
}

static void *work(void *arg)
{
    set(get() + 1);
    return arg;
}

int main(void)
{
    pthread_t a = spawn(work), b = spawn(work);

    join(a);
    join(b);
    assert(get() == 2);
    return 0;
}
