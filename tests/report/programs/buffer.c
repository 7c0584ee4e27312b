/* SPDX-License-Identifier: BSD-2-Clause
 *
 * buffer.c - two writers find room for one more item and both take it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { ROOM = 3 };

static int *buffer;
static atomic_int used = 2;

static void append(int item)
{
    if (atomic_load(&used) < ROOM)
        buffer[atomic_fetch_add(&used, 1)] = item;
}

static void *writer(void *arg)
{
    append(1);
    return arg;
}

int main(void)
{
    pthread_t thread;

    buffer = calloc(ROOM, sizeof *buffer);
    pthread_create(&thread, NULL, writer, NULL);
    append(2);
    pthread_join(thread, NULL);
    free(buffer);
    return 0;
}
