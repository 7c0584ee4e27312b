/* SPDX-License-Identifier: BSD-2-Clause
 *
 * places - the same race on the heap, on another thread's stack, in thread-local memory
 * (of which each thread has its own: no race). */
#include "races.h"

static int *shared;
static __thread int own;

static void *set(void *arg)
{
    PUT(*shared, 1);
    PUT(own, 1);
    return arg;
}

static void *set_own(void *arg)
{
    PUT(own, 2);
    return arg;
}

int main(int argc, char **argv)
{
    int local = 0;

    variant = argc > 1 ? argv[1] : "";
    shared = is("heap") ? calloc(4, sizeof *shared) : &local;
    pthread_t a = spawn(is("own") ? set_own : set), b = spawn(is("own") ? set_own : set);

    join(a);
    join(b);
    return 0;
}
