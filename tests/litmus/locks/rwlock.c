/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rwlock - a read-write lock used wrongly: `free`, unlocked though no thread holds it;
 * `other`, unlocked by another than its reader; `destroy`, destroyed while it is read;
 * `after`, used after that; `garbage`, never initialised; `left`, held by a thread that ends. */
#include "locks.h"

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t *used = &l;

static void *one(void *arg)
{
    if (!is("free") && !is("other"))
        pthread_rwlock_rdlock(used);
    if (!is("left"))
        pthread_rwlock_unlock(used);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_rwlock_t own;

    choose_variant(argc, argv);
    memset(&own, 0xa5, sizeof own);
    if (is("garbage") || is("garbage-fixed"))
        used = &own;
    if (is("garbage-fixed"))
        pthread_rwlock_init(used, NULL);
    if (is("other") || is("destroy"))
        pthread_rwlock_rdlock(&l);
    if (is("after"))
        pthread_rwlock_destroy(&l);
    pthread_t t = spawn(one);

    if (is("destroy"))
        pthread_rwlock_destroy(&l);
    if (is("fixed")) { /* readers among themselves */
        pthread_rwlock_rdlock(&l);
        pthread_rwlock_rdlock(&l);
        pthread_rwlock_unlock(&l);
        pthread_rwlock_unlock(&l);
    }
    join(t);
    if (is("fixed"))
        pthread_rwlock_destroy(&l);
    return 0;
}
