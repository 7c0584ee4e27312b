/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_many_generations.c - threads one after the other: slots, stacks and
 * thread-local storage are used again in a fresh state. */
#include "../conform.h"

static __thread int mine = 1;
static int x;

static void *worker(void *arg)
{
    IS(mine, 1);
    mine = 2;
    x++;
    return arg;
}

int main(void)
{
    for (int i = 0; i < 40; i++)
        finish(start(worker, NULL));
    IS(x, 40);
    return 0;
}
