/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bluetooth - the driver of study/bluetooth, with plain accesses. */
#include "points.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int pending = 1; /* the driver itself counts as one */
shared int stopping, idle, stopped;

static int enter(void)
{
    if (stopping)
        return 0;
    pthread_mutex_lock(&lock);
    pending++;
    pthread_mutex_unlock(&lock);
    return 1;
}

static void leave(void)
{
    int left;

    pthread_mutex_lock(&lock);
    left = --pending;
    pthread_mutex_unlock(&lock);
    if (left == 0)
        idle = 1;
}

static void *stop(void *arg)
{
    stopping = 1;
    leave();
    if (idle)
        stopped = 1;
    return arg;
}

int main(void)
{
    spawn(stop);
    if (enter())
        assert(!stopped);
    leave();
    return 0;
}
