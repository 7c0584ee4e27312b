/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cond_wait_static.c - wait for a flag, statically initialised objects, signal inside
 * the lock. */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *setter(void *arg)
{
    IS(pthread_mutex_lock(&m), 0);
    ready = 1;
    IS(pthread_cond_signal(&c), 0);
    IS(pthread_mutex_unlock(&m), 0);
    return arg;
}

int main(void)
{
    pthread_t t = start(setter, NULL);

    IS(pthread_mutex_lock(&m), 0);
    while (!ready)
        IS(pthread_cond_wait(&c, &m), 0);
    IS(pthread_mutex_unlock(&m), 0);
    finish(t);
    IS(pthread_cond_destroy(&c), 0);
    return 0;
}
