/* SPDX-License-Identifier: BSD-2-Clause
 *
 * yield_sound.c - a thread that sleeps may still be the first to go on.
 * Expect: assertion */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <unistd.h>

#include "../conform.h"

sem_t s;
atomic_int x;
void *t1(void *a)
{
    sem_wait(&s);
    usleep(1);
    atomic_store(&x, 1);
    return 0;
}
void *t2(void *a)
{
    sem_post(&s);
    assert(atomic_load(&x) == 0);
    return 0;
}
int main(void)
{
    pthread_t a, b;
    sem_init(&s, 0, 0);
    pthread_create(&a, 0, t1, 0);
    pthread_create(&b, 0, t2, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
