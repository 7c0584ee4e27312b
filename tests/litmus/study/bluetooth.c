/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bluetooth - a driver that is stopped while a request comes in: the request
 * looks at the stop flag first and is counted as pending only then (SCT study,
 * row 5).
 *
 * Claim: a request that was let in finds the driver running.  False when the
 * stop happens between the look and the count.  The count is under the lock; the
 * flags have none, race, and are all visible: stopping (written, read), idle
 * (written by both sides, read), stopped (written, read).  No thread joins: main is
 * the request and then returns.  Twin: bluetooth_fixed.c. */
#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int pending = 1; /* the driver itself counts as one */
static int stopping, idle, stopped;

static int enter(void)
{
    if (visible_read(stopping))
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
        visible_write(idle, 1);
}

static void *stop(void *arg)
{
    visible_write(stopping, 1);
    leave();
    if (visible_read(idle))
        visible_write(stopped, 1);
    return arg;
}

int main(void)
{
    spawn(stop);
    if (enter())
        assert(!visible_read(stopped));
    leave();
    return 0;
}
