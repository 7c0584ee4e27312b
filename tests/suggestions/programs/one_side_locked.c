/* SPDX-License-Identifier: BSD-2-Clause
 *
 * one_side_locked.c - one thread counts with the lock, the other without.
 * Twin (-DFIXED): both have it. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int hits;

static void *count(void *unused)
{
    pthread_mutex_lock(&lock);
    hits++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, count, NULL);
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    hits++;
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
    pthread_join(thread, NULL);
    return hits != 2;
}
