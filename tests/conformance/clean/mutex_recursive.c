/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex_recursive.c - a recursive mutex is free again only after as many unlocks as
 * locks; others are refused meanwhile. */
#include "../conform.h"

static pthread_mutex_t m;

static void *intruder(void *arg)
{
    IS(pthread_mutex_trylock(&m), EBUSY);
    IS(pthread_mutex_unlock(&m), EPERM);
    return arg;
}

int main(void)
{
    pthread_mutexattr_t attr;

    IS(pthread_mutexattr_init(&attr), 0);
    IS(pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE), 0);
    IS(pthread_mutex_init(&m, &attr), 0);
    IS(pthread_mutex_lock(&m), 0);
    IS(pthread_mutex_lock(&m), 0);
    IS(pthread_mutex_trylock(&m), 0);
    IS(pthread_mutex_unlock(&m), 0);
    IS(pthread_mutex_unlock(&m), 0);
    finish(start(intruder, NULL));
    IS(pthread_mutex_unlock(&m), 0);
    IS(pthread_mutex_unlock(&m), EPERM);
    IS(pthread_mutex_destroy(&m), 0);
    return 0;
}
