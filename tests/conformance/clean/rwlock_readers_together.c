/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rwlock_readers_together.c - two readers meet inside the lock; were readers exclusive,
 * this would hang. */
#include <semaphore.h>

#include "../conform.h"

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static sem_t here, there;

static void *reader(void *arg)
{
    IS(pthread_rwlock_rdlock(&rw), 0);
    IS(sem_post(&here), 0);
    IS(sem_wait(&there), 0);
    IS(pthread_rwlock_unlock(&rw), 0);
    return arg;
}

int main(void)
{
    IS(sem_init(&here, 0, 0), 0);
    IS(sem_init(&there, 0, 0), 0);
    pthread_t t = start(reader, NULL);
    IS(pthread_rwlock_rdlock(&rw), 0);
    IS(sem_wait(&here), 0);
    IS(sem_post(&there), 0);
    IS(pthread_rwlock_unlock(&rw), 0);
    finish(t);
    IS(pthread_rwlock_trywrlock(&rw), 0);
    IS(pthread_rwlock_unlock(&rw), 0);
    return 0;
}
