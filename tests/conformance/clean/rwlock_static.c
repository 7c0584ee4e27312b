/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rwlock_static.c - a statically initialised rwlock: one writer, one reader. */
#include "../conform.h"

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static int x, y;

static void *writer(void *arg)
{
    IS(pthread_rwlock_wrlock(&rw), 0);
    x++;
    y++;
    IS(pthread_rwlock_unlock(&rw), 0);
    return arg;
}

int main(void)
{
    pthread_t t = start(writer, NULL);

    IS(pthread_rwlock_rdlock(&rw), 0);
    IS(x, y);
    IS(pthread_rwlock_unlock(&rw), 0);
    finish(t);
    IS(x, 1);
    return 0;
}
