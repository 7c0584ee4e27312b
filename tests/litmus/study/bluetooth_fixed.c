/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bluetooth_fixed - bluetooth with a request that is counted as pending before
 * it looks at the stop flag.
 *
 * Claim: a request that was let in finds the driver running.  True: either it
 * sees the flag, or the stop sees it pending.  Visible accesses as in the twin,
 * bluetooth.c. */
#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int pending = 1; /* the driver itself counts as one */
static int stopping, idle, stopped;

static void enter(void)
{
    pthread_mutex_lock(&lock);
    pending++;
    pthread_mutex_unlock(&lock);
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
    enter();
    if (!visible_read(stopping))
        assert(!visible_read(stopped));
    leave();
    return 0;
}
