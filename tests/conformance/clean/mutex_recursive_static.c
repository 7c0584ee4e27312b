/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex_recursive_static.c - the static recursive initialiser; two threads nest their
 * sections. */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int x;

static void inner(void)
{
    IS(pthread_mutex_lock(&m), 0);
    x++;
    IS(pthread_mutex_unlock(&m), 0);
}

static void *worker(void *arg)
{
    IS(pthread_mutex_lock(&m), 0);
    int before = x;
    inner();
    IS(x, before + 1);
    IS(pthread_mutex_unlock(&m), 0);
    return arg;
}

int main(void)
{
    pthread_t a = start(worker, NULL);

    worker(NULL);
    finish(a);
    IS(x, 2);
    return 0;
}
