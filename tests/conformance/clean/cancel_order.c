/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cancel_order.c - a cancelled thread runs its handlers first and the destructors of its
 * keys afterwards.
 * Reduction: threads are cancelled */
#include "../conform.h"

static pthread_key_t key;
static int order;

static void handler(void *arg)
{
    (void)arg;
    IS(order++, 0);
    IS(pthread_getspecific(key) != NULL, 1);
}

static void destroy(void *value)
{
    (void)value;
    IS(order++, 1);
}

static void *victim(void *arg)
{
    IS(pthread_setspecific(key, &order), 0);
    IS(pthread_cancel(pthread_self()), 0);
    pthread_cleanup_push(handler, NULL);
    pthread_testcancel();
    pthread_cleanup_pop(0);
    return arg;
}

int main(void)
{
    IS(pthread_key_create(&key, destroy), 0);
    IS(finish(start(victim, NULL)) == PTHREAD_CANCELED, 1);
    IS(order, 2);
    return 0;
}
