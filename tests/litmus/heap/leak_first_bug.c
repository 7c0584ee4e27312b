/* SPDX-License-Identifier: BSD-2-Clause
 *
 * leak_first_bug.c - the block is lost unless the worker comes first: the search meets
 * that late. */
#include "../litmus.h"

static int late;

static void *worker(void *unused)
{
    (void)unused;
    visible_write(late, 1);
    return NULL;
}

int main(void)
{
    pthread_t t = spawn(worker);
    char *volatile block = malloc(24);
    int came = visible_read(late);

#ifdef FIXED
    came = 0;
#endif
    if (came)
        free(block);
    block = NULL;
    join(t);
    return 0;
}
