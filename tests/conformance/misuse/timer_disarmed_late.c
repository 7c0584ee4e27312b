/* SPDX-License-Identifier: BSD-2-Clause
 *
 * timer_disarmed_late.c - a time-out and its cancellation race: the program believes
 * that an answer which came keeps the timer from firing.
 * Expect: assertion */
#include <assert.h>
#include <signal.h>
#include <stdatomic.h>

#include "../conform.h"

static atomic_bool given_up;

static void give_up(union sigval unused)
{
    (void)unused;
    atomic_store(&given_up, true);
}

int main(void)
{
    struct sigevent how = { .sigev_notify = SIGEV_THREAD, .sigev_notify_function = give_up };
    struct itimerspec hour = { .it_value = { 3600, 0 } }, off = { .it_value = { 0, 0 } };
    timer_t t;

    timer_create(CLOCK_MONOTONIC, &how, &t);
    timer_settime(t, 0, &hour, NULL);
    timer_settime(t, 0, &off, NULL); /* the answer is there */
    timer_delete(t);
    assert(!atomic_load(&given_up));
    return 0;
}
