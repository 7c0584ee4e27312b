/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rwlock_self_deadlock.c - the writer that locks again gets EDEADLK, which it handles. */
#include "../conform.h"

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *writer(void *arg)
{
    IS(pthread_rwlock_wrlock(&rw), 0);
    IS(pthread_rwlock_wrlock(&rw), EDEADLK);
    IS(pthread_rwlock_rdlock(&rw), EDEADLK);
    x++;
    IS(pthread_rwlock_unlock(&rw), 0);
    return arg;
}

int main(void)
{
    pthread_t t = start(writer, NULL);

    writer(NULL);
    finish(t);
    IS(x, 2);
    return 0;
}
