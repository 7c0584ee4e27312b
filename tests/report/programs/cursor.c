/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cursor.c - a cursor moves through a block; a thread that is late frees the middle of it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(char *) cursor;

static void *reader(void *arg)
{
    atomic_fetch_add((atomic_intptr_t *)&cursor, 4);
    return arg;
}

int main(void)
{
    pthread_t thread;

    atomic_store(&cursor, malloc(16));
    pthread_create(&thread, NULL, reader, NULL);
    free(atomic_load(&cursor));
    pthread_join(thread, NULL);
    return 0;
}
