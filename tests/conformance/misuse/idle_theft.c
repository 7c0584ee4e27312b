/* SPDX-License-Identifier: BSD-2-Clause
 *
 * idle_theft.c - a thread that timed out when no thread could run has no priority for the next lock.
 * Expect: deadlock
 * Options: --strategy dfs --timeouts idle */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "../conform.h"

pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;
void *t1(void *a)
{
    struct timespec ts = {2000000000, 0};
    int rc = pthread_mutex_timedlock(&m1, &ts);
    assert(rc == ETIMEDOUT);
    pthread_mutex_lock(&m2);
    pthread_mutex_unlock(&m2);
    return 0;
}
int main(void)
{
    pthread_t a;
    pthread_mutex_lock(&m1);
    pthread_mutex_lock(&m2);
    pthread_create(&a, 0, t1, 0);
    pthread_join(a, 0); /* deadlock: T1 wants m2 */
    return 0;
}
