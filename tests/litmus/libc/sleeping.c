/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sleeping - tests that rely on durations.
 *
 *   ready     main sleeps until a thread must be ready
 *   order     of two sleeping threads the one with the shorter time is the first
 *   timeout   a wait that times out earlier comes before a sleep that ends later
 *   timer     a timer that expires earlier comes before a sleep that ends later
 *   cancel    a sleeping thread is cancelled: it does not sleep on
 *   elapsed   no clock shows less than the time of a sleep or of a time limit
 *   forever   a time limit beyond all numbers is not over at once
 *
 * A machine may be slow, so all but the last two fail with --timeouts any; with idle they pass. */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const char *variant = "";
static atomic_int ready;
static sem_t never;

static int is(const char *name)
{
    return strcmp(variant, name) == 0;
}

static struct timespec in(clockid_t clock, long ns)
{
    struct timespec t;

    clock_gettime(clock, &t);
    t.tv_nsec += ns;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

static void expire(union sigval v)
{
    (void)v;
    ready = 1;
}

static void set_timer(long ns)
{
    struct sigevent e = { .sigev_notify = SIGEV_THREAD, .sigev_notify_function = expire };
    struct itimerspec when = { .it_value = { 0, ns } };
    timer_t timer;

    assert(timer_create(CLOCK_MONOTONIC, &e, &timer) == 0);
    assert(timer_settime(timer, 0, &when, NULL) == 0);
}

static void *first(void *arg)
{
    if (is("order")) {
        usleep(10000);
    } else if (is("timeout")) {
        struct timespec until = in(CLOCK_REALTIME, 10000000);

        while (sem_timedwait(&never, &until) != 0 && errno != ETIMEDOUT)
            ;
    } else if (is("cancel")) {
        sleep(1000);
        assert(!"slept on");
    }
    ready = 1;
    return arg;
}

static int64_t us_of(struct timeval t)
{
    return (int64_t)t.tv_sec * 1000000 + t.tv_usec;
}

static int64_t ns_of(struct timespec t)
{
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Readings are rounded down: their difference must not be. */
static void measure(void)
{
    struct timespec before, after, until;
    struct timeval then, now;
    time_t seconds = time(NULL);

    for (int us = 1; us < 3000; us += 499) {
        gettimeofday(&then, NULL);
        usleep((useconds_t)us);
        gettimeofday(&now, NULL);
        assert(us_of(now) - us_of(then) >= us);
    }
    until = in(CLOCK_REALTIME, 1234567);
    assert(sem_timedwait(&never, &until) != 0);
    clock_gettime(CLOCK_REALTIME, &after);
    assert(ns_of(after) >= ns_of(until));
    clock_gettime(CLOCK_MONOTONIC, &before);
    sleep(2);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert(ns_of(after) - ns_of(before) >= 2000000000);
    assert(time(NULL) - seconds >= 2);
}

static void wait_forever(void)
{
    struct timespec until = { LONG_MAX, 0 }, now;

    assert(sem_timedwait(&never, &until) != 0); /* no thread posts: only the limit ends it */
    clock_gettime(CLOCK_REALTIME, &now);
    assert(now.tv_sec > 1700000000 + 100L * 365 * 86400);
}

int main(int argc, char **argv)
{
    pthread_t t;
    void *value = NULL;

    variant = argc > 1 ? argv[1] : "";
    sem_init(&never, 0, 0);
    if (is("elapsed")) {
        measure();
        return 0;
    }
    if (is("forever")) {
        wait_forever();
        return 0;
    }
    if (is("timer"))
        set_timer(10000000);
    else
        pthread_create(&t, NULL, first, NULL);
    if (is("cancel")) {
        pthread_cancel(t);
    } else {
        usleep(20000);
        assert(ready);
    }
    if (!is("timer"))
        pthread_join(t, &value);
    return is("cancel") && value != PTHREAD_CANCELED;
}
