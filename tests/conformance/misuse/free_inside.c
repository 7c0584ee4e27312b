/* SPDX-License-Identifier: BSD-2-Clause
 *
 * free_inside.c - free of an address inside a block, when the other thread has moved the
 * pointer meanwhile.
 * Expect: bad-free */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char *cursor;

static void *reader(void *arg)
{
    pthread_mutex_lock(&m);
    cursor += 16;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    cursor = malloc(64);
    pthread_t t = start(reader, NULL);

    pthread_mutex_lock(&m);
    char *mine = cursor;

    pthread_mutex_unlock(&m);
    free(mine);
    finish(t);
    return 0;
}
