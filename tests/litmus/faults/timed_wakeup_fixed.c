/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The fixed twin of timed_wakeup_bug. */
#include <errno.h>
#include <time.h>

#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static bool done;

static void *wait(void *unused)
{
    struct timespec late = { 2000000000, 0 };
    int error = 0;

    pthread_mutex_lock(&lock);
    while (!done && error == 0)
        error = pthread_cond_timedwait(&ready, &lock, &late);
    assert(done || error == ETIMEDOUT);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t = spawn(wait);

    pthread_mutex_lock(&lock);
    done = true;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
    join(t);
}
