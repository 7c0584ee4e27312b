/* SPDX-License-Identifier: BSD-2-Clause
 *
 * once_blocking.c - the routine of a pthread_once takes a lock and runs another
 * pthread_once; latecomers wait for its end. */
#include "../conform.h"

static pthread_once_t outer = PTHREAD_ONCE_INIT, inner = PTHREAD_ONCE_INIT;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int a, b;

static void init_inner(void)
{
    b++;
}

static void init_outer(void)
{
    IS(pthread_mutex_lock(&m), 0);
    IS(pthread_once(&inner, init_inner), 0);
    a = b;
    IS(pthread_mutex_unlock(&m), 0);
}

static void *worker(void *arg)
{
    IS(pthread_once(&outer, init_outer), 0);
    IS(a, 1);
    return arg;
}

int main(void)
{
    pthread_t t = start(worker, NULL);

    worker(NULL);
    finish(t);
    IS(b, 1);
    return 0;
}
