/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex_robust_blocked.c - a thread that already waits for a robust mutex is woken by
 * the owner's end; the thread that comes first gets EOWNERDEAD. */
#include "../conform.h"

static pthread_mutex_t m;
static int deaths;

static void *dies_as_owner(void *arg)
{
    int rc = pthread_mutex_lock(&m);

    IS(rc, 0);
    return arg;
}

static void *heir(void *arg)
{
    int rc = pthread_mutex_lock(&m);

    if (rc == EOWNERDEAD) {
        deaths++;
        IS(pthread_mutex_consistent(&m), 0);
        rc = 0;
    }
    IS(rc, 0);
    IS(pthread_mutex_unlock(&m), 0);
    return arg;
}

int main(void)
{
    pthread_mutexattr_t attr;

    IS(pthread_mutexattr_init(&attr), 0);
    IS(pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST), 0);
    IS(pthread_mutex_init(&m, &attr), 0);
    pthread_t a = start(dies_as_owner, NULL), b = start(heir, NULL);
    finish(a);
    finish(b);
    heir(NULL);
    IS(deaths, 1);
    return 0;
}
