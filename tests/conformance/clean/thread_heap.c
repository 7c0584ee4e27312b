/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_heap.c - memory allocated by one thread is used, grown and freed by another. */
#include <malloc.h>
#include <string.h>

#include "../conform.h"

static void *worker(void *arg)
{
    char *p = realloc(arg, 4000);

    IS(strcmp(p, "weft"), 0);
    IS(malloc_usable_size(p) >= 4000, 1);
    return p;
}

int main(void)
{
    char *p = calloc(1, 16);
    void *aligned = NULL;

    IS(p[15], 0);
    strcpy(p, "weft");
    pthread_t t = start(worker, p);
    IS(posix_memalign(&aligned, 4096, 100), 0);
    IS((uintptr_t)aligned % 4096, 0);
    free(aligned);
    free(finish(t));
    free(NULL);
    return 0;
}
