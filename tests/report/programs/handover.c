/* SPDX-License-Identifier: BSD-2-Clause
 *
 * handover.c - a lock is released by the thread that is done first, even if it does not
 * hold it. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done;

static void *helper(void *arg)
{
    if (atomic_exchange(&done, 1) == 0)
        pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t thread;

    pthread_mutex_lock(&lock);
    pthread_create(&thread, NULL, helper, NULL);
    if (atomic_exchange(&done, 1) == 0)
        pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
