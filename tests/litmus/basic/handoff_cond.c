/* SPDX-License-Identifier: BSD-2-Clause
 *
 * handoff_cond - a worker hands a value over with a condition variable.
 *
 * Claim: main finds the value and always wakes up.  Either the worker's section
 * is first (1 order), or main locks and waits first, with 3 places for the
 * worker's start; the wake-up takes the lock again in the same step: 4 orders. */
#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int value;

static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    value = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t worker = spawn(work);

    pthread_mutex_lock(&lock);
    while (value == 0)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    join(worker);
    return 0;
}
