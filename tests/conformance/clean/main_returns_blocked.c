/* SPDX-License-Identifier: BSD-2-Clause
 *
 * main_returns_blocked.c - main returns while a thread is blocked forever: no deadlock,
 * since the process ends. */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *worker(void *arg)
{
    IS(pthread_mutex_lock(&m), 0);
    for (;;)
        IS(pthread_cond_wait(&c, &m), 0);
    return arg;
}

int main(void)
{
    start(worker, NULL);
    return 0;
}
