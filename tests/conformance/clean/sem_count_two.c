/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sem_count_two.c - a semaphore of two admits two of three threads, never three. */
#include <semaphore.h>
#include <stdatomic.h>

#include "../conform.h"

static sem_t s;
static atomic_int inside;

static void *worker(void *arg)
{
    IS(sem_wait(&s), 0);
    IS(atomic_fetch_add(&inside, 1) < 2, 1);
    atomic_fetch_sub(&inside, 1);
    IS(sem_post(&s), 0);
    return arg;
}

int main(void)
{
    IS(sem_init(&s, 0, 2), 0);
    pthread_t a = start(worker, NULL), b = start(worker, NULL);
    finish(a);
    IS(sem_trywait(&s), 0);
    IS(sem_post(&s), 0);
    finish(b);
    return 0;
}
