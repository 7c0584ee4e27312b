/* SPDX-License-Identifier: BSD-2-Clause
 *
 * child_then_abba.c - a program that runs a command is still searched itself: the
 * command must not take its place.
 * Expect: deadlock */
#include <pthread.h>
#include <stdlib.h>

#include "../conform.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *arg)
{
    IS(pthread_mutex_lock(&b), 0);
    IS(pthread_mutex_lock(&a), 0);
    IS(pthread_mutex_unlock(&a), 0);
    IS(pthread_mutex_unlock(&b), 0);
    return arg;
}

int main(void)
{
    pthread_t t;

    IS(system("true"), 0);
    IS(pthread_create(&t, NULL, other, NULL), 0);
    IS(pthread_mutex_lock(&a), 0);
    IS(pthread_mutex_lock(&b), 0);
    IS(pthread_mutex_unlock(&b), 0);
    IS(pthread_mutex_unlock(&a), 0);
    finish(t);
    return 0;
}
