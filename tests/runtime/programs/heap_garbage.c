/* SPDX-License-Identifier: BSD-2-Clause
 *
 * heap_garbage.c - what a new block holds, and where it lies, depends on nothing
 * but the thread's own history: not on other executions. */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned turns;

static void *fresh(size_t n)
{
    unsigned char *p = malloc(n);

    assert(p != NULL && (uintptr_t)p % 16 == 0 && malloc_usable_size(p) >= n);
    pretend_written(p);
    echo(digest(p, n) + ((uintptr_t)p >> 4));
    return p;
}

static void *worker(void *arg)
{
    char *small = fresh(40);
    char *large = fresh(20000);
    unsigned char *zeroed = calloc(100, 7);

    for (int i = 0; i < 700; i++)
        assert(zeroed[i] == 0);
    pthread_mutex_lock(&mutex);
    int turn = (int)++turns;

    pthread_mutex_unlock(&mutex);
    memset(small, turn, 40);
    memset(large, turn, 20000);
    memset(zeroed, turn, 700);
    small = realloc(small, 30000);
    for (int i = 0; i < 40; i++)
        assert(small[i] == (char)turn);
    memset(small, turn, 30000);
    free(large);
    free(small);
    if (turn == 2)
        memset(aligned_alloc(4096, 8192), turn, 8192);
    free(zeroed);
    return arg;
}

int main(void)
{
    pthread_t thread[3];
    void *mine = fresh(5000);

    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    memset(mine, (int)turns + 1, 5000);
    free(mine);
    free(fresh(300000));
    return 0;
}
