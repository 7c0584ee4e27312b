/* SPDX-License-Identifier: BSD-2-Clause
 *
 * writer_readers.c - one writer and N readers of one location. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void *reader(void *arg)
{
    (void)arg;
    (void)atomic_load(&x);
    return NULL;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1;
    pthread_t t[16];

    for (int i = 0; i < n; i++)
        pthread_create(&t[i], NULL, reader, NULL);
    atomic_store(&x, 1);
    for (int i = 0; i < n; i++)
        pthread_join(t[i], NULL);
    return 0;
}
