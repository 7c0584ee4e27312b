/* SPDX-License-Identifier: BSD-2-Clause
 *
 * free_mutex - main locks a mutex in a block that another thread frees.
 *
 * Claim: the block is there as long as main needs it, which is wrong.  No plain access races:
 * it is the operation on the mutex that the free must not come before. */
#include "../litmus.h"

static pthread_mutex_t *mutex;

static void *release(void *arg)
{
    free(mutex);
    return arg;
}

int main(void)
{
    mutex = malloc(sizeof *mutex);
    pthread_mutex_init(mutex, NULL);
    pthread_t thread = spawn(release);

    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
    join(thread);
    return 0;
}
