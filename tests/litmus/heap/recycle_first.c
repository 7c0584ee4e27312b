/* SPDX-License-Identifier: BSD-2-Clause
 *
 * recycle_first - a thread frees a block of another before it allocates anything itself: with
 * --heap=recycle the next one of this size that it asks for is that, in the first execution as in
 * all others. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static void *given;
static uintptr_t first, second;

static void *free_and_take(void *arg)
{
    first = (uintptr_t)given;
    free(given);
    given = malloc(32);
    second = (uintptr_t)given;
    return arg;
}

int main(void)
{
    pthread_t t;

    given = malloc(32);
    pthread_create(&t, NULL, free_and_take, NULL);
    pthread_join(t, NULL);
    free(given);
    assert(first != second);
    return 0;
}
