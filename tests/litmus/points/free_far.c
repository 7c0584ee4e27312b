/* SPDX-License-Identifier: BSD-2-Clause
 *
 * free_far - main writes far behind the beginning of a large block that another thread frees.
 *
 * Claim: none; as free_race, wherever in the block the write is. */
#include "../litmus.h"

enum { LARGE = 1 << 20 };

static char *block;

static void *release(void *arg)
{
    free(block);
    return arg;
}

int main(void)
{
    block = malloc(LARGE);
    pthread_t thread = spawn(release);

    block[LARGE / 2] = 1;
    join(thread);
    return 0;
}
