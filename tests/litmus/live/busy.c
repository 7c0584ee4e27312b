/* SPDX-License-Identifier: BSD-2-Clause
 *
 * busy - the thread that comes second makes no visible operation any more.
 *
 * loop: it computes forever, in code that is not instrumented.  count: the same in code
 * that is.  call: it waits forever in a system call made without libc.  fixed: it
 * computes for a while. */
#include <sys/syscall.h>

#include "live.h"

static int first;

static volatile unsigned long counter;

HEDDLE_TRUSTED static void compute(bool for_ever)
{
    for (volatile unsigned long i = 0; i < 1000000 || for_ever; i++)
        ;
}

static void count_for_ever(void)
{
    for (;;)
        counter++;
}

HEDDLE_TRUSTED static void wait_in_kernel(void)
{
    int ends[2];
    long number = SYS_read;
    char c;

    if (pipe(ends) == 0)
        __asm__ volatile("syscall" : "+a"(number) : "D"((long)ends[0]), "S"(&c), "d"(1L)
                         : "rcx", "r11", "memory");
}

static void *body(void *arg)
{
    if (get(first))
        return arg;
    if (is("call"))
        wait_in_kernel();
    else if (is("count"))
        count_for_ever();
    else
        compute(is("loop"));
    return arg;
}

int main(int argc, char **argv)
{
    take_variant(argc, argv);
    pthread_t thread = spawn(body);

    put(first, 1);
    join(thread);
    return 0;
}
