/* SPDX-License-Identifier: BSD-2-Clause
 *
 * free_many - two threads that each allocate and free many blocks, some of them large.
 *
 * Claim: no bug.  A search in which each free is an operation must finish: parts of a
 * block that are not used cost nothing. */
#include "../litmus.h"

static void *work(void *arg)
{
    for (int i = 0; i < 1000; i++) {
        char *volatile block = malloc(i % 10 == 0 ? 20000 : 1000);

        block[0] = 1;
        free(block);
    }
    return arg;
}

int main(void)
{
    pthread_t thread = spawn(work);

    work(NULL);
    join(thread);
    return 0;
}
