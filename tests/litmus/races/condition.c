/* SPDX-License-Identifier: BSD-2-Clause
 *
 * condition - a signal orders nothing, the mutex does. */
#include "races.h"

#include <time.h>

static int data, ready;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *sender(void *arg)
{
    if (is("signal")) { /* without the mutex */
        PUT(data, 1);
        pthread_cond_signal(&c);
        return arg;
    }
    PUT(data, 1);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}

static void *receiver(void *arg)
{
    struct timespec soon = { 0, 0 };

    pthread_mutex_lock(&m);
    if (is("signal"))
        pthread_cond_timedwait(&c, &m, &soon);
    while (!is("signal") && !ready)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    (void)GET(data);
    return arg;
}

int main(int argc, char **argv)
{
    return run_two(argc, argv, sender, receiver);
}
