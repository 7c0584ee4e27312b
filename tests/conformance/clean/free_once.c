/* SPDX-License-Identifier: BSD-2-Clause
 *
 * free_once.c - of two threads that want to free a block, the one that takes it does; blocks
 * of one thread may be freed, resized and measured by another. */
#include "../conform.h"

#include <malloc.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char *block;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    char *taken = block;

    block = NULL;
    pthread_mutex_unlock(&m);
    if (taken != NULL) {
        IS(malloc_usable_size(taken) >= 40, true);
        taken = realloc(taken, 4000);
        IS(strcmp(taken, "from main"), 0);
    }
    free(taken);
    return arg;
}

int main(void)
{
    block = malloc(40);
    strcpy(block, "from main");
    pthread_t a = start(worker, NULL), b = start(worker, NULL);

    finish(a);
    finish(b);
    IS(block == NULL, true);
    return 0;
}
