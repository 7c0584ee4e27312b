/* SPDX-License-Identifier: BSD-2-Clause
 *
 * increments_local - x++ of two threads with the step between the read and the
 * write a scheduling point too (a yield, which touches nothing).
 *
 * Claim: none.  Three steps each: C(6, 3) = 20 schedules.  All threads are there from
 * the start: main creates them inside the initialiser of a pthread_once, and the first
 * step of each is to wait for it, together with the (unseen) read that follows.  With
 * `--convention study` a thread's start is no step of its own. */
#include "classes.h"

#include <sched.h>

static pthread_once_t gate = PTHREAD_ONCE_INIT;
static int x;

static void create_all(void);

static void *increment(void *arg)
{
    pthread_once(&gate, create_all);
    int seen = unseen_read(&x);

    sched_yield();
    visible_write(x, seen + 1);
    return arg;
}

static void create_all(void)
{
    spawn(increment);
    spawn(increment);
}

int main(void)
{
    pthread_once(&gate, create_all);
    return 0;
}
