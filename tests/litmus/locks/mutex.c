/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex - a mutex used wrongly: `free`, unlocked though no thread holds it; `other`,
 * unlocked by another than its holder; `destroy`, destroyed while held; `after`, used after
 * it was destroyed; `garbage`, never initialised; `left`, held by a thread that ends. */
#include "locks.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t *used = &m;

static void *one(void *arg)
{
    if (is("free")) {
        unlock(&m);
    } else if (is("other")) {
        unlock(&m);
    } else {
        lock(used);
        if (!is("left"))
            unlock(used);
    }
    return arg;
}

int main(int argc, char **argv)
{
    pthread_mutex_t own;

    choose_variant(argc, argv);
    memset(&own, 0xa5, sizeof own);
    if (is("garbage") || is("garbage-fixed"))
        used = &own;
    if (is("garbage-fixed"))
        pthread_mutex_init(used, NULL);
    if (is("other") || is("destroy"))
        lock(&m);
    if (is("after"))
        pthread_mutex_destroy(used);
    if (is("after-fixed")) { /* made anew */
        pthread_mutex_destroy(used);
        pthread_mutex_init(used, NULL);
    }
    pthread_t t = spawn(one);

    if (is("destroy"))
        pthread_mutex_destroy(&m);
    join(t);
    return 0;
}
