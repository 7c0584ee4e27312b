/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rwlock_two_writers.c - writers exclude each other; init and destroy at run time. */
#include "../conform.h"

static pthread_rwlock_t rw;
static int x;

static void *writer(void *arg)
{
    IS(pthread_rwlock_wrlock(&rw), 0);
    x++;
    IS(pthread_rwlock_unlock(&rw), 0);
    return arg;
}

int main(void)
{
    IS(pthread_rwlock_init(&rw, NULL), 0);
    pthread_t a = start(writer, NULL), b = start(writer, NULL);
    finish(a);
    finish(b);
    IS(x, 2);
    IS(pthread_rwlock_destroy(&rw), 0);
    return 0;
}
