/* SPDX-License-Identifier: BSD-2-Clause
 *
 * timer_periodic.c - a timer that repeats notifies again and again, until it is
 * deleted; a call that has begun by then still runs.
 * Reduction: timers expire
 * Denied: periodic timers notify */
#include <signal.h>

#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ticked = PTHREAD_COND_INITIALIZER;
static int ticks;

static void tick(union sigval value)
{
    IS(value.sival_ptr == &ticks, 1);
    IS(pthread_mutex_lock(&m), 0);
    ticks++;
    IS(pthread_cond_signal(&ticked), 0);
    IS(pthread_mutex_unlock(&m), 0);
}

int main(void)
{
    struct sigevent how = { .sigev_notify = SIGEV_THREAD, .sigev_notify_function = tick,
                            .sigev_value.sival_ptr = &ticks };
    struct itimerspec each = { { 0, 1000000 }, { 0, 1000000 } };
    timer_t t;

    IS(timer_create(CLOCK_REALTIME, &how, &t), 0);
    IS(timer_settime(t, 0, &each, NULL), 0);
    IS(pthread_mutex_lock(&m), 0);
    while (ticks < 2)
        IS(pthread_cond_wait(&ticked, &m), 0);
    IS(pthread_mutex_unlock(&m), 0);
    IS(timer_delete(t), 0);
    return 0;
}
