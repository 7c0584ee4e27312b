/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex_errorcheck_dynamic.c - an error-checking mutex made with attributes still
 * excludes. */
#include "../conform.h"

static pthread_mutex_t m;
static int x;

static void *worker(void *arg)
{
    IS(pthread_mutex_lock(&m), 0);
    x++;
    IS(pthread_mutex_lock(&m), EDEADLK);
    IS(pthread_mutex_unlock(&m), 0);
    return arg;
}

int main(void)
{
    pthread_mutexattr_t attr;

    IS(pthread_mutexattr_init(&attr), 0);
    IS(pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK), 0);
    IS(pthread_mutex_init(&m, &attr), 0);
    IS(pthread_mutexattr_destroy(&attr), 0);
    pthread_t a = start(worker, NULL);
    worker(NULL);
    finish(a);
    IS(x, 2);
    IS(pthread_mutex_destroy(&m), 0);
    return 0;
}
