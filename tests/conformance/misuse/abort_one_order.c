/* SPDX-License-Identifier: BSD-2-Clause
 *
 * abort_one_order.c - abort, only if the thread comes between two sections of main.
 * Expect: abort */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    if (x == 1)
        abort();
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t = start(worker, NULL);

    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        x++;
        pthread_mutex_unlock(&m);
    }
    finish(t);
    return 0;
}
