/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cancel_disabled.c - with cancellation disabled the request stays pending until it is
 * enabled and a cancellation point comes.
 * Reduction: threads are cancelled */
#include <semaphore.h>

#include "../conform.h"

static sem_t disabled, requested;
static int passed;

static void *victim(void *arg)
{
    int old;

    IS(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old), 0);
    IS(old, PTHREAD_CANCEL_ENABLE);
    IS(sem_post(&disabled), 0);
    IS(sem_wait(&requested), 0);
    pthread_testcancel();
    passed = 1;
    IS(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old), 0);
    IS(old, PTHREAD_CANCEL_DISABLE);
    passed = 2;
    pthread_testcancel();
    passed = 3;
    return arg;
}

int main(void)
{
    IS(sem_init(&disabled, 0, 0), 0);
    IS(sem_init(&requested, 0, 0), 0);
    IS(pthread_setcancelstate(77, NULL), EINVAL);
    IS(pthread_setcanceltype(77, NULL), EINVAL);
    pthread_t t = start(victim, NULL);
    IS(sem_wait(&disabled), 0);
    IS(pthread_cancel(t), 0);
    IS(sem_post(&requested), 0);
    IS(finish(t) == PTHREAD_CANCELED, 1);
    IS(passed, 2);
    return 0;
}
