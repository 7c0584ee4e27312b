/* SPDX-License-Identifier: BSD-2-Clause
 *
 * deep.c - half a megabyte of stack, by recursion and by alloca, with switches
 * at the bottom; "endless" instead recurses until the stack is used up, if the
 * other thread was first. */
#include <alloca.h>
#include <string.h>

#include "state.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int first, endless;

static void turn(int id)
{
    pthread_mutex_lock(&mutex);
    if (first == 0)
        first = id;
    pthread_mutex_unlock(&mutex);
}

static __attribute__((noinline)) int recurse(int depth, int id)
{
    volatile char frame[1000];

    frame[0] = (char)depth;
    if (depth == 0)
        turn(id);
    else
        recurse(depth - 1, id);
    assert(frame[0] == (char)depth);
    return frame[0];
}

static __attribute__((noinline)) void block(int id)
{
    unsigned char *p = alloca(500000);

    memset(p, id, 500000);
    turn(id);
    assert(p[0] == id && p[499999] == id);
}

static void *worker(void *arg)
{
    int id = (int)(intptr_t)arg;

    recurse(500, id);
    block(id);
    if (endless && id == 1 && first == 2)
        recurse(1 << 30, id);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t a, b;

    endless = argc > 1 && strcmp(argv[1], "endless") == 0;
    assert(first == 0);
    pthread_create(&a, NULL, worker, (void *)1);
    pthread_create(&b, NULL, worker, (void *)2);
    recurse(400, 3);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
