/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex_trylock.c - trylock takes a free mutex and is EBUSY on one that another thread,
 * or the caller itself, holds. */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    IS(pthread_mutex_trylock(&m), EBUSY);
    return arg;
}

int main(void)
{
    IS(pthread_mutex_trylock(&m), 0);
    IS(pthread_mutex_trylock(&m), EBUSY);
    finish(start(worker, NULL));
    IS(pthread_mutex_unlock(&m), 0);
    IS(pthread_mutex_trylock(&m), 0);
    IS(pthread_mutex_unlock(&m), 0);
    return 0;
}
