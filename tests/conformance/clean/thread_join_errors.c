/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_join_errors.c - joining oneself is EDEADLK, a thread that is detached EINVAL. */
#include <semaphore.h>

#include "../conform.h"

static sem_t go;

static void *detached(void *arg)
{
    IS(sem_wait(&go), 0);
    return arg;
}

int main(void)
{
    pthread_attr_t attr;
    pthread_t t;

    IS(sem_init(&go, 0, 0), 0);
    IS(pthread_join(pthread_self(), NULL), EDEADLK);
    IS(pthread_attr_init(&attr), 0);
    IS(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED), 0);
    IS(pthread_create(&t, &attr, detached, NULL), 0);
    IS(pthread_attr_destroy(&attr), 0);
    IS(pthread_join(t, NULL), EINVAL);
    IS(pthread_detach(t), EINVAL);
    IS(sem_post(&go), 0);
    return 0;
}
