/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_join_value.c - join hands over the value, and what the thread wrote; threads
 * create threads. */
#include "../conform.h"

static int x;

static void *grandchild(void *arg)
{
    x = 3;
    return arg;
}

static void *child(void *arg)
{
    pthread_t t = start(grandchild, arg);

    IS(finish(t) == arg, 1);
    IS(x, 3);
    x = 4;
    return &x;
}

int main(void)
{
    IS(finish(start(child, &x)) == &x, 1);
    IS(x, 4);
    return 0;
}
