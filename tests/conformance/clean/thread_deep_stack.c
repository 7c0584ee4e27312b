/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_deep_stack.c - with a large stack asked for, a thread can go deep, switching on
 * the way. */
#include <sched.h>

#include "../conform.h"

static __attribute__((noinline)) int deep(int n)
{
    volatile char frame[4096];

    frame[0] = (char)n;
    if (n == 0) {
        sched_yield();
        return 0;
    }
    return deep(n - 1) + (frame[0] == (char)n);
}

static void *worker(void *arg)
{
    IS(deep(1500), 1500);
    return arg;
}

int main(void)
{
    pthread_attr_t attr;
    pthread_t t;

    IS(pthread_attr_init(&attr), 0);
    IS(pthread_attr_setstacksize(&attr, 8 * 1024 * 1024), 0);
    IS(pthread_create(&t, &attr, worker, NULL), 0);
    IS(deep(100), 100);
    finish(t);
    return 0;
}
