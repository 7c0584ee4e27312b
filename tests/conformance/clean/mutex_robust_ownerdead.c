/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex_robust_ownerdead.c - the owner of a robust mutex ends: the next locker gets
 * EOWNERDEAD, repairs it, and all goes on. */
#include "../conform.h"

static pthread_mutex_t m;

static void *dies_as_owner(void *arg)
{
    IS(pthread_mutex_lock(&m), 0);
    return arg;
}

int main(void)
{
    pthread_mutexattr_t attr;

    IS(pthread_mutexattr_init(&attr), 0);
    IS(pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST), 0);
    IS(pthread_mutex_init(&m, &attr), 0);
    IS(pthread_mutex_consistent(&m), EINVAL);
    finish(start(dies_as_owner, NULL));
    IS(pthread_mutex_lock(&m), EOWNERDEAD);
    IS(pthread_mutex_consistent(&m), 0);
    IS(pthread_mutex_unlock(&m), 0);
    IS(pthread_mutex_lock(&m), 0);
    IS(pthread_mutex_unlock(&m), 0);
    IS(pthread_mutex_unlock(&m), EPERM);
    IS(pthread_mutex_destroy(&m), 0);
    return 0;
}
