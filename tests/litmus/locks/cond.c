/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cond - a condition used wrongly: `bare`, waited on without its mutex; `two`, with
 * two mutexes at once; `destroy`, destroyed while another thread waits; `garbage`, never
 * initialised. */
#include "locks.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_cond_t *used = &c;
static int ready;

static void wait_with(pthread_mutex_t *mutex, bool locked)
{
    if (locked)
        lock(mutex);
    while (!visible_read(ready))
        pthread_cond_wait(used, mutex);
    unlock(mutex);
}

static void *one(void *arg)
{
    wait_with(&m, !is("bare"));
    return arg;
}

static void *other(void *arg)
{
    wait_with(is("two") ? &n : &m, true);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_cond_t own;

    choose_variant(argc, argv);
    memset(&own, 0xa5, sizeof own);
    if (is("garbage") || is("garbage-fixed"))
        used = &own;
    if (is("garbage-fixed"))
        pthread_cond_init(used, NULL);
    pthread_t a = spawn(one), b = is("two") || is("two-fixed") ? spawn(other) : a;

    if (is("destroy"))
        pthread_cond_destroy(used);
    lock(&m);
    lock(&n);
    visible_write(ready, 1);
    pthread_cond_broadcast(used);
    unlock(&n);
    unlock(&m);
    join(a);
    if (b != a)
        join(b);
    if (is("fixed"))
        pthread_cond_destroy(&c);
    return 0;
}
