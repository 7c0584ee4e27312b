/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_tryjoin.c - tryjoin is EBUSY while the thread runs, timed joins ETIMEDOUT;
 * afterwards each kind of join gets the value. */
#include <semaphore.h>

#include "../conform.h"

static sem_t go;

static void *worker(void *arg)
{
    IS(sem_wait(&go), 0);
    return arg;
}

int main(void)
{
    struct timespec real = in_ms(CLOCK_REALTIME, 2), mono = in_ms(CLOCK_MONOTONIC, 2);
    void *value;

    IS(sem_init(&go, 0, 0), 0);
    pthread_t t = start(worker, &go);
    IS(pthread_tryjoin_np(t, &value), EBUSY);
    IS(pthread_timedjoin_np(t, &value, &real), ETIMEDOUT);
    IS(reached(CLOCK_REALTIME, real), 1);
    IS(pthread_clockjoin_np(t, &value, CLOCK_MONOTONIC, &mono), ETIMEDOUT);
    IS(reached(CLOCK_MONOTONIC, mono), 1);
    IS(sem_post(&go), 0);
    IS(pthread_join(t, &value), 0);
    IS(value == &go, 1);
    return 0;
}
