/* SPDX-License-Identifier: BSD-2-Clause
 *
 * increments.c - two threads: x = x + 1 as a load and a store. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *work(void *arg)
{
    (void)arg;
    atomic_store(&x, atomic_load(&x) + 1);
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
