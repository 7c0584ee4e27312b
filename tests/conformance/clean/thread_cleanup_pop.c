/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_cleanup_pop.c - popped handlers run only when asked to, and do not run again at
 * the end of the thread. */
#include "../conform.h"

static void count(void *arg)
{
    ++*(int *)arg;
}

static void *worker(void *arg)
{
    int runs = 0;

    pthread_cleanup_push(count, &runs);
    pthread_cleanup_pop(0);
    IS(runs, 0);
    pthread_cleanup_push(count, arg);
    pthread_cleanup_pop(1);
    pthread_exit(arg);
}

int main(void)
{
    int runs = 0;

    finish(start(worker, &runs));
    IS(runs, 1);
    return 0;
}
