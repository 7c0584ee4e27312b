/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lastzero.c - writer j: a[j] = a[j-1] + 1; the reader looks from a[N] down for the
 * last zero.  Its loop reads another location in each round, so it is no polling. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static atomic_int a[32];

static void *writer(void *arg)
{
    int j = (int)(intptr_t)arg;

    atomic_store(&a[j], atomic_load(&a[j - 1]) + 1);
    return NULL;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 3;
    pthread_t t[32];

    for (int j = 1; j <= n; j++)
        pthread_create(&t[j], NULL, writer, (void *)(intptr_t)j);
    for (int i = n; atomic_load(&a[i]) != 0; i--)
        ;
    for (int j = 1; j <= n; j++)
        pthread_join(t[j], NULL);
    return 0;
}
