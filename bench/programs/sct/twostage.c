/* SPDX-License-Identifier: BSD-2-Clause
 *
 * twostage - a pair of numbers that belong together is written in two steps under
 * two locks by many threads, and read by one (SCT study, row 28:
 * CS.twostage_100_bad; row 29, one writer, is tests/litmus/study/twostage.c).
 *
 * Claim: a thread that has seen the first number finds the second one greater.  False for the
 * reader if no writer has come to the second step.  The writers' accesses to
 * `first` race with each other, since the read is under the second lock only: these
 * two are visible. WRITERS: 99, so that there are 101 threads with main.
 * Fix: one lock for both numbers. */
#include "../program.h"

#ifndef WRITERS
#define WRITERS 99
#endif

static pthread_mutex_t lock1 = PTHREAD_MUTEX_INITIALIZER;
#ifndef FIXED
static pthread_mutex_t lock2 = PTHREAD_MUTEX_INITIALIZER;
#endif
static int first, second;

static void *write_both(void *arg)
{
    pthread_mutex_lock(&lock1);
#ifdef FIXED
    first = 1;
    second = first + 1;
    pthread_mutex_unlock(&lock1);
#else
    visible_write(first, 1);
    pthread_mutex_unlock(&lock1);
    pthread_mutex_lock(&lock2);
    second = visible_read(first) + 1;
    pthread_mutex_unlock(&lock2);
#endif
    return arg;
}

static void *read_both(void *arg)
{
    int seen1, seen2;

    pthread_mutex_lock(&lock1);
    seen1 = first;
#ifdef FIXED
    seen2 = second;
#endif
    pthread_mutex_unlock(&lock1);
    if (seen1 == 0)
        return arg;
#ifndef FIXED
    pthread_mutex_lock(&lock2);
    seen2 = second;
    pthread_mutex_unlock(&lock2);
#endif
    assert(seen2 == seen1 + 1);
    return arg;
}

int main(void)
{
    pthread_t threads[WRITERS + 1];

    for (int i = 0; i < WRITERS; i++)
        threads[i] = spawn(write_both);
    threads[WRITERS] = spawn(read_both);
    for (int i = 0; i < WRITERS + 1; i++)
        join(threads[i]);
    return 0;
}
