/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tryjoin_park.c - polling with tryjoin ends with the thread that is polled for. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

#include "../conform.h"

sem_t s;
void *t1(void *a)
{
    sem_wait(&s);
    return 0;
}
int main(void)
{
    pthread_t a;
    sem_init(&s, 0, 1);
    pthread_create(&a, 0, t1, 0);
    while (pthread_tryjoin_np(a, 0) == EBUSY)
        ;
    return 0;
}
