/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_join_errors.c - joining oneself is EDEADLK, which the caller handles. */
#include "../conform.h"

static void *worker(void *arg)
{
    IS(pthread_join(pthread_self(), NULL), EDEADLK);
    return arg;
}

int main(void)
{
    pthread_t t = start(worker, NULL);

    worker(NULL);
    finish(t);
    return 0;
}
