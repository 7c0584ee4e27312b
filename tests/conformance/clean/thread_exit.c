/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_exit.c - pthread_exit from a nested call ends the thread with its value,
 * running pushed handlers last in, first out. */
#include "../conform.h"

static int order;

static void first_pushed(void *arg)
{
    IS(order++, 1);
    (void)arg;
}

static void last_pushed(void *arg)
{
    IS(order++, 0);
    (void)arg;
}

static __attribute__((noinline)) void leave(void *value)
{
    pthread_exit(value);
}

static void *worker(void *arg)
{
    pthread_cleanup_push(first_pushed, NULL);
    pthread_cleanup_push(last_pushed, NULL);
    leave(arg);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void)
{
    IS(finish(start(worker, &order)) == &order, 1);
    IS(order, 2);
    return 0;
}
