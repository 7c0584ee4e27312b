/* SPDX-License-Identifier: BSD-2-Clause
 *
 * missed_signal_bug - the flag is set and the signal sent without the lock.
 *
 * Claim: main wakes up.  False when both happen between main's look at the flag
 * and its wait: the signal is lost.  Twin: missed_signal_fixed.c. */
#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *work(void *arg)
{
    visible_write(ready, 1);
    pthread_cond_signal(&changed);
    return arg;
}

int main(void)
{
    pthread_t worker = spawn(work);

    pthread_mutex_lock(&lock);
    while (!visible_read(ready))
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    join(worker);
    return 0;
}
