/* SPDX-License-Identifier: BSD-2-Clause
 *
 * abba_fixed - two locks, taken in one order.
 *
 * Claim: both threads finish.  True.
 * Twin: abba_bug.c. */
#include "../litmus.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return arg;
}

int main(void)
{
    pthread_t worker = spawn(work);

    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    join(worker);
    return 0;
}
