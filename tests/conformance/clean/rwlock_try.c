/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rwlock_try.c - try variants: readers share, a writer excludes all, a reader excludes
 * writers. */
#include "../conform.h"

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

static void *beside_reader(void *arg)
{
    IS(pthread_rwlock_trywrlock(&rw), EBUSY);
    IS(pthread_rwlock_tryrdlock(&rw), 0);
    IS(pthread_rwlock_unlock(&rw), 0);
    return arg;
}

static void *beside_writer(void *arg)
{
    IS(pthread_rwlock_tryrdlock(&rw), EBUSY);
    IS(pthread_rwlock_trywrlock(&rw), EBUSY);
    return arg;
}

int main(void)
{
    IS(pthread_rwlock_tryrdlock(&rw), 0);
    finish(start(beside_reader, NULL));
    IS(pthread_rwlock_unlock(&rw), 0);
    IS(pthread_rwlock_trywrlock(&rw), 0);
    finish(start(beside_writer, NULL));
    IS(pthread_rwlock_unlock(&rw), 0);
    return 0;
}
