/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Others wait for a thread that an assumption has stopped: for its lock, for its end.
 * That is no deadlock, and not an execution either. */
#include <heddle/heddle.h>

#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *stops(void *unused)
{
    pthread_mutex_lock(&lock);
    heddle_assume(0);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *waits(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a = spawn(stops), b = spawn(waits);

    join(a);
    join(b);
}
