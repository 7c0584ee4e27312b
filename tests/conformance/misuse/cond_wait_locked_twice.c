/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cond_wait_locked_twice.c - a wait unlocks a recursive mutex once.  Main has locked it twice, so the other thread never
 * gets it, and nobody wakes main.
 * Expect: lock-misuse */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *setter(void *arg)
{
    IS(pthread_mutex_lock(&m), 0);
    ready = 1;
    IS(pthread_cond_signal(&c), 0);
    IS(pthread_mutex_unlock(&m), 0);
    return arg;
}

int main(void)
{
    pthread_t t;

    IS(pthread_mutex_lock(&m), 0);
    IS(pthread_mutex_lock(&m), 0);
    t = start(setter, NULL);
    while (!ready)
        IS(pthread_cond_wait(&c, &m), 0);
    IS(pthread_mutex_unlock(&m), 0);
    IS(pthread_mutex_unlock(&m), 0);
    finish(t);
    return 0;
}
