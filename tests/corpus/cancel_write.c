/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cancel_write - a thread may be cancelled in write() while it holds a mutex.
 *
 * Claim: main gets the mutex.  False: write is a cancellation point (POSIX 2.9.5.2). */
#include "../litmus/litmus.h"

#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    if (write(1, "", 0) < 0)
        arg = NULL;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t other = spawn(work);

    pthread_cancel(other);
    join(other);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return 0;
}
