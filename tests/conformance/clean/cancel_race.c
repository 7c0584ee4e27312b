/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cancel_race.c - a cancel against the end of a working thread: it is cancelled at its
 * one point or finishes; the lock is free either way.
 * Reduction: threads are cancelled */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *victim(void *arg)
{
    IS(pthread_mutex_lock(&m), 0);
    x++;
    IS(pthread_mutex_unlock(&m), 0);
    pthread_testcancel();
    return arg;
}

int main(void)
{
    pthread_t t = start(victim, &m);

    IS(pthread_cancel(t), 0);
    void *value = finish(t);
    IS(value == PTHREAD_CANCELED || value == &m, 1);
    IS(pthread_mutex_trylock(&m), 0);
    IS(x, 1);
    IS(pthread_mutex_unlock(&m), 0);
    return 0;
}
