/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex_inherit.c - a priority-inheriting mutex locks, refuses and unlocks like any
 * other; relocking it is EDEADLK only when it checks. */
#include "../conform.h"

static pthread_mutex_t m;

static void *worker(void *arg)
{
    IS(pthread_mutex_trylock(&m), EBUSY);
    return arg;
}

int main(void)
{
    pthread_mutexattr_t attr;

    IS(pthread_mutexattr_init(&attr), 0);
    IS(pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK), 0);
    IS(pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT), 0);
    IS(pthread_mutex_init(&m, &attr), 0);
    IS(pthread_mutex_lock(&m), 0);
    IS(pthread_mutex_lock(&m), EDEADLK);
    finish(start(worker, NULL));
    IS(pthread_mutex_unlock(&m), 0);
    IS(pthread_mutex_unlock(&m), EPERM);
    IS(pthread_mutex_destroy(&m), 0);
    return 0;
}
