/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex_dynamic.c - init, use, destroy, and init again of the same memory, with and
 * without attributes. */
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
    for (int i = 0; i < 2; i++) {
        IS(pthread_mutex_init(&m, i == 0 ? NULL : &attr), 0);
        pthread_t a = start(worker, NULL);
        worker(NULL);
        finish(a);
        IS(pthread_mutex_destroy(&m), 0);
    }
    IS(pthread_mutexattr_destroy(&attr), 0);
    IS(x, 4);
    return 0;
}
