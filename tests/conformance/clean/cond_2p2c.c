/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cond_2p2c.c - two producers and two consumers on one condition, everything initialised
 * explicitly.
 * Options: --strategy ipb --bound 2 */
#include "../conform.h"

static pthread_mutex_t m;
static pthread_cond_t c;
static int items;

static void *producer(void *arg)
{
    IS(pthread_mutex_lock(&m), 0);
    items++;
    IS(pthread_cond_signal(&c), 0);
    IS(pthread_mutex_unlock(&m), 0);
    return arg;
}

static void *consumer(void *arg)
{
    IS(pthread_mutex_lock(&m), 0);
    while (items == 0)
        IS(pthread_cond_wait(&c, &m), 0);
    items--;
    IS(pthread_mutex_unlock(&m), 0);
    return arg;
}

int main(void)
{
    pthread_t t[4];

    IS(pthread_mutex_init(&m, NULL), 0);
    IS(pthread_cond_init(&c, NULL), 0);
    for (int i = 0; i < 4; i++)
        t[i] = start(i < 2 ? producer : consumer, NULL);
    for (int i = 0; i < 4; i++)
        finish(t[i]);
    IS(items, 0);
    IS(pthread_cond_destroy(&c), 0);
    IS(pthread_mutex_destroy(&m), 0);
    return 0;
}
