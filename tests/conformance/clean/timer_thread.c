/* SPDX-License-Identifier: BSD-2-Clause
 *
 * timer_thread.c - a timer that notifies by a thread: it fires once, not before its
 * time; disarmed in time, or deleted, it does not fire at all.
 * Reduction: timers expire */
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>

#include "../conform.h"

static sem_t fired;
static atomic_int calls;

static void notify(union sigval value)
{
    atomic_fetch_add(&calls, value.sival_int);
    IS(sem_post(&fired), 0);
}

static timer_t make(int weight)
{
    struct sigevent how = { .sigev_notify = SIGEV_THREAD, .sigev_notify_function = notify,
                            .sigev_value.sival_int = weight };
    timer_t t;

    IS(timer_create(CLOCK_MONOTONIC, &how, &t), 0);
    return t;
}

static struct itimerspec after_ms(long ms)
{
    return (struct itimerspec){ .it_value = { ms / 1000, ms % 1000 * 1000000 } };
}

int main(void)
{
    struct itimerspec soon = after_ms(20), late = after_ms(3600000), off = after_ms(0), left;
    struct timespec due = in_ms(CLOCK_MONOTONIC, 20);
    timer_t one = make(1), other = make(100);

    IS(sem_init(&fired, 0, 0), 0);
    IS(timer_gettime(one, &left), 0);
    IS(left.it_value.tv_sec + left.it_value.tv_nsec, 0);
    IS(timer_settime(one, 0, &soon, NULL), 0);
    IS(sem_wait(&fired), 0);
    IS(reached(CLOCK_MONOTONIC, due), 1);
    IS(timer_getoverrun(one), 0);
    IS(timer_gettime(one, &left), 0);
    IS(left.it_value.tv_sec + left.it_value.tv_nsec, 0);
    IS(timer_delete(one), 0);

    /* A thread that disarms it learns whether it was in time. */
    IS(timer_settime(other, 0, &late, NULL), 0);
    IS(timer_settime(other, 0, &off, &left), 0);
    if (left.it_value.tv_sec + left.it_value.tv_nsec == 0)
        IS(sem_wait(&fired), 0);
    else
        IS(atomic_load(&calls), 1);
    late.it_value.tv_nsec = 1000000000;
    FAILS(timer_settime(other, 0, &late, NULL), EINVAL);
    IS(timer_delete(other), 0);
    return 0;
}
