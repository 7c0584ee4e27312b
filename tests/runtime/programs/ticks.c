/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ticks.c - waiting for more expiries of a periodic timer than Heddle
 * lets happen is no deadlock: nothing is reported, and nothing is claimed. */
#include <semaphore.h>
#include <signal.h>
#include <time.h>

#include "state.h"

static sem_t ticks;

static void tick(union sigval unused)
{
    (void)unused;
    sem_post(&ticks);
}

int main(void)
{
    struct sigevent how = { .sigev_notify = SIGEV_THREAD, .sigev_notify_function = tick };
    struct itimerspec when = { { 0, 1000000 }, { 0, 1000000 } };
    timer_t timer;

    assert(0 == sem_init(&ticks, 0, 0));
    assert(0 == timer_create(CLOCK_MONOTONIC, &how, &timer));
    assert(0 == timer_settime(timer, 0, &when, NULL));
    for (int i = 0; i < 6; i++)
        assert(0 == sem_wait(&ticks));
    assert(0 == timer_delete(timer));
    return 0;
}
