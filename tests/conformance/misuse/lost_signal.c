/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lost_signal.c - the flag is not checked under the lock, so the signal can come before
 * the wait.
 * Expect: deadlock */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t = start(worker, NULL);

    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    finish(t);
    return 0;
}
