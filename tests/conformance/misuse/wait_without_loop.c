/* SPDX-License-Identifier: BSD-2-Clause
 *
 * wait_without_loop.c - a waiter that does not check again takes what another thread has
 * taken already.
 * Expect: assertion */
#include <assert.h>

#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int items;

static void *taker(void *arg)
{
    pthread_mutex_lock(&m);
    if (items == 0)
        pthread_cond_wait(&c, &m);
    assert(items > 0);
    items--;
    pthread_mutex_unlock(&m);
    return arg;
}

static void put(void)
{
    pthread_mutex_lock(&m);
    items++;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
}

int main(void)
{
    start(taker, NULL);
    start(taker, NULL);
    put();
    return 0;
}
