/* SPDX-License-Identifier: BSD-2-Clause
 *
 * free_race - main writes into a block that another thread frees.
 *
 * Claim: none; the race is a use after free in the other order, which a search runs because a
 * free that races is a scheduling point. */
#include "../litmus.h"

static char *block;

static void *give_back(void *arg)
{
    free(block);
    return arg;
}

int main(void)
{
    block = malloc(4096);
    pthread_t thread = spawn(give_back);

    block[2000] = 1;
    join(thread);
    return 0;
}
