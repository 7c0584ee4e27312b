/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex_adaptive.c - adaptive mutexes, static and dynamic, behave as normal ones. */
#include "../conform.h"

static pthread_mutex_t fixed = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t made;
static int x, y;

static void *worker(void *arg)
{
    IS(pthread_mutex_lock(&fixed), 0);
    x++;
    IS(pthread_mutex_unlock(&fixed), 0);
    IS(pthread_mutex_lock(&made), 0);
    y++;
    IS(pthread_mutex_unlock(&made), 0);
    return arg;
}

int main(void)
{
    pthread_mutexattr_t attr;

    IS(pthread_mutexattr_init(&attr), 0);
    IS(pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ADAPTIVE_NP), 0);
    IS(pthread_mutex_init(&made, &attr), 0);
    pthread_t a = start(worker, NULL);
    worker(NULL);
    finish(a);
    IS(x + y, 4);
    return 0;
}
