/* SPDX-License-Identifier: BSD-2-Clause
 *
 * timer_deleted_in_use.c - deleting a timer does not wait for a call that has begun:
 * the call then finds its data destroyed.
 * Expect: lock-misuse */
#include <signal.h>

#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void notify(union sigval unused)
{
    (void)unused;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
}

int main(void)
{
    struct sigevent how = { .sigev_notify = SIGEV_THREAD, .sigev_notify_function = notify };
    struct itimerspec soon = { .it_value = { 0, 1000000 } };
    timer_t t;

    timer_create(CLOCK_MONOTONIC, &how, &t);
    timer_settime(t, 0, &soon, NULL);
    timer_delete(t);
    pthread_mutex_destroy(&m);
    return 0;
}
