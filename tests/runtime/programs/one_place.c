/* SPDX-License-Identifier: BSD-2-Clause
 *
 * one_place.c - one call of memcpy fails at as many offsets and sizes as there are
 * rounds, depending on when the other thread runs:
 *
 *   one_place freed     it frees the block
 *   one_place null      it takes the block away
 *   one_place two       the same, and a second call, in another function, fails, too */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 6

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *how;
static char from[1024];
static char *block;

static __attribute__((noinline)) void copy(char *to, int round)
{
    memcpy(to, from, (size_t)(1 << round));
}

static __attribute__((noinline)) void copy_back(char *to, int round)
{
    memcpy(from, to, (size_t)(1 << round));
}

static void *intervene(void *unused)
{
    pthread_mutex_lock(&mutex);
    if (strcmp(how, "freed") == 0)
        free(block);
    else
        block = NULL;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t t;

    how = argc > 1 ? argv[1] : "freed";
    block = malloc(1024);
    pthread_create(&t, NULL, intervene, NULL);
    for (int round = 0; round < ROUNDS; round++) {
        pthread_mutex_lock(&mutex);
        char *to = block + 100 * round;

        pthread_mutex_unlock(&mutex);
        if (strcmp(how, "two") == 0 && round % 2 != 0)
            copy_back(to, round);
        else
            copy(to, round);
    }
    pthread_join(t, NULL);
    return 0;
}
