/* SPDX-License-Identifier: BSD-2-Clause
 *
 * exit_handler_locks.c - an exit handler is ordinary code: it locks, against a thread
 * that still runs. */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *worker(void *arg)
{
    IS(pthread_mutex_lock(&m), 0);
    x++;
    IS(pthread_mutex_unlock(&m), 0);
    return arg;
}

static void at_exit(void)
{
    worker(NULL);
}

int main(void)
{
    IS(atexit(at_exit), 0);
    start(worker, NULL);
    return 0;
}
