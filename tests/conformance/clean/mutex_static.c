/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex_static.c - a statically initialised mutex protects a counter. */
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

int main(void)
{
    pthread_t a = start(worker, NULL), b = start(worker, NULL);

    finish(a);
    finish(b);
    IS(x, 2);
    return 0;
}
