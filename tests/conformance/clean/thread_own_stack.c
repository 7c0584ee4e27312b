/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_own_stack.c - a thread for which the program brings the stack runs inside the
 * bounds that it can ask for. */
#include "../conform.h"

enum { SIZE = 256 * 1024 };

static char stack[SIZE] __attribute__((aligned(4096)));

static void *worker(void *arg)
{
    pthread_attr_t attr;
    void *low;
    size_t size;

    IS(pthread_getattr_np(pthread_self(), &attr), 0);
    IS(pthread_attr_getstack(&attr, &low, &size), 0);
    IS((char *)&attr >= (char *)low && (char *)&attr < (char *)low + size, 1);
    IS(pthread_attr_destroy(&attr), 0);
    return arg;
}

int main(void)
{
    pthread_attr_t attr;
    pthread_t t;

    IS(pthread_attr_init(&attr), 0);
    IS(pthread_attr_setstack(&attr, stack, SIZE), 0);
    IS(pthread_create(&t, &attr, worker, NULL), 0);
    IS(pthread_attr_destroy(&attr), 0);
    finish(t);
    return 0;
}
