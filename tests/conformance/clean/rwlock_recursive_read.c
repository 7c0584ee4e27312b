/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rwlock_recursive_read.c - a reader may lock again for reading (default kind) and
 * unlocks as often. */
#include "../conform.h"

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
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
    pthread_t t = start(writer, NULL);

    IS(pthread_rwlock_rdlock(&rw), 0);
    int before = x;
    IS(pthread_rwlock_rdlock(&rw), 0);
    IS(pthread_rwlock_unlock(&rw), 0);
    IS(x, before);
    IS(pthread_rwlock_unlock(&rw), 0);
    finish(t);
    return 0;
}
