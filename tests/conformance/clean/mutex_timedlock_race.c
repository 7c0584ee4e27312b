/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex_timedlock_race.c - a timed lock against a short section: it either gets the
 * mutex or times out, and both are handled. */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *worker(void *arg)
{
    IS(pthread_mutex_lock(&m), 0);
    x++;
    IS(pthread_mutex_unlock(&m), 0);
    return arg;
}

int main(void)
{
    pthread_t a = start(worker, NULL);
    struct timespec t = in_ms(CLOCK_REALTIME, 5);
    int rc = pthread_mutex_timedlock(&m, &t);

    IS(rc == 0 || rc == ETIMEDOUT, 1);
    if (rc == 0) {
        x++;
        IS(pthread_mutex_unlock(&m), 0);
    }
    finish(a);
    IS(x, rc == 0 ? 2 : 1);
    return 0;
}
