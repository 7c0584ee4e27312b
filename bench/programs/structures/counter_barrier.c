/* SPDX-License-Identifier: BSD-2-Clause
 *
 * counter_barrier - a barrier of a mutex and a condition: the last one to come begins a new
 * generation and wakes the others.
 *
 * Claim: meeting.h.  NO_GENERATION: the others wait until the counter is 0 again, and go on
 * waiting if another thread has come to the next meeting by then.  IF: they do not look again when
 * they wake up, and a wake-up for no reason lets them pass (--faults=spurious-wakeup). */
#include "../program.h"

#define THREADS 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int count, generation;

static bool still_waits(int mine)
{
#ifdef NO_GENERATION
    (void)mine;
    return count != 0;
#else
    return generation == mine;
#endif
}

static void meet(int me)
{
    (void)me;
    pthread_mutex_lock(&lock);
    if (++count == THREADS) {
        count = 0;
        generation++;
        pthread_cond_broadcast(&changed);
    } else {
        int mine = generation;
#ifdef IF
        if (still_waits(mine))
            pthread_cond_wait(&changed, &lock);
#else
        while (still_waits(mine))
            pthread_cond_wait(&changed, &lock);
#endif
    }
    pthread_mutex_unlock(&lock);
}

#include "meeting.h"
