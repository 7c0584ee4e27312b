/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The fixed twin of wakeup_bug: it looks again. */
#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static bool done;

static void *wait(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!done)
        pthread_cond_wait(&ready, &lock);
    assert(done);
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
