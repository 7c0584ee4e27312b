/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex_pshared.c - a process-shared mutex within one process is a mutex. */
#include "../conform.h"

static pthread_mutex_t m;
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
    pthread_mutexattr_t attr;

    IS(pthread_mutexattr_init(&attr), 0);
    IS(pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED), 0);
    IS(pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_NONE), 0);
    IS(pthread_mutex_init(&m, &attr), 0);
    pthread_t a = start(worker, NULL);
    worker(NULL);
    finish(a);
    IS(x, 2);
    return 0;
}
