/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex_two_ordered.c - two locks always taken in the same order: no deadlock (twin of
 * misuse/abba.c). */
#include "../conform.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *worker(void *arg)
{
    IS(pthread_mutex_lock(&a), 0);
    IS(pthread_mutex_lock(&b), 0);
    x++;
    IS(pthread_mutex_unlock(&b), 0);
    IS(pthread_mutex_unlock(&a), 0);
    return arg;
}

int main(void)
{
    pthread_t t = start(worker, NULL), u = start(worker, NULL);

    finish(t);
    finish(u);
    IS(x, 2);
    return 0;
}
