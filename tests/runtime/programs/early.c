/* SPDX-License-Identifier: BSD-2-Clause
 *
 * early.c - a constructor starts threads; each execution finds them before their
 * first step, in the state that the constructor has left. */
#include <stdlib.h>
#include <string.h>

#include "state.h"

enum { THREADS = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t early[THREADS];
static int *cells;
static int arrivals;
static __thread int own = 7;

static void *worker(void *arg)
{
    int *cell = arg;
    char *block = malloc(100);

    assert(own == 7 && *cell == 40 + (int)(cell - cells));
    own++;
    memset(block, 1, 100);
    echo((uintptr_t)block >> 4);
    echo((uintptr_t)pthread_self() >> 6);
    pthread_mutex_lock(&mutex);
    *cell = ++arrivals;
    pthread_mutex_unlock(&mutex);
    free(block);
    return cell;
}

__attribute__((constructor)) static void before_main(void)
{
    cells = malloc(THREADS * sizeof *cells);
    for (int i = 0; i < THREADS; i++) {
        cells[i] = 40 + i;
        assert(pthread_create(&early[i], NULL, worker, &cells[i]) == 0);
    }
    assert(pthread_setname_np(early[0], "first") == 0);
}

int main(void)
{
    int order = 0;
    char name[16];
    void *cell;

    assert(arrivals == 0 && cells[0] == 40 && cells[2] == 42);
    assert(pthread_getname_np(early[0], name, sizeof name) == 0 && strcmp(name, "first") == 0);
    for (int i = THREADS - 1; i >= 0; i--) {
        assert(pthread_join(early[i], &cell) == 0 && cell == &cells[i]);
        order = order * 4 + cells[i];
    }
    assert(arrivals == THREADS);
    echo((uintptr_t)order);
    return 0;
}
