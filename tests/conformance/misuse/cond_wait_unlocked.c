/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cond_wait_unlocked.c - a wait without the mutex.
 * Expect: lock-misuse */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *worker(void *arg)
{
    pthread_cond_signal(&c);
    return arg;
}

int main(void)
{
    struct timespec end = in_ms(CLOCK_REALTIME, 1);
    pthread_t t = start(worker, NULL);

    pthread_cond_timedwait(&c, &m, &end);
    finish(t);
    return 0;
}
