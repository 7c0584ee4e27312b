/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex_on_stack_and_heap.c - mutexes live anywhere: on the creator's stack and on the
 * heap, freed and allocated again. */
#include "../conform.h"

struct box {
    pthread_mutex_t m;
    int x;
};

static void *worker(void *arg)
{
    struct box *b = arg;

    IS(pthread_mutex_lock(&b->m), 0);
    b->x++;
    IS(pthread_mutex_unlock(&b->m), 0);
    return arg;
}

static void round_with(struct box *b)
{
    b->x = 0;
    IS(pthread_mutex_init(&b->m, NULL), 0);
    pthread_t t = start(worker, b);
    worker(b);
    finish(t);
    IS(b->x, 2);
    IS(pthread_mutex_destroy(&b->m), 0);
}

int main(void)
{
    struct box local;

    round_with(&local);
    for (int i = 0; i < 2; i++) {
        struct box *b = malloc(sizeof *b);

        IS(b != NULL, 1);
        round_with(b);
        free(b);
    }
    return 0;
}
