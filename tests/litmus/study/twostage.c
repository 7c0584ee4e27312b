/* SPDX-License-Identifier: BSD-2-Clause
 *
 * twostage - a pair of numbers that belong together is written in two steps
 * under two locks (SCT study, row 29: one writer, one reader).
 *
 * Claim: a thread that has seen the first number finds the second one greater.  False for
 * a reader between the two steps.  Nothing races: each number is written under
 * its own lock, and the writer alone reads `first` without it.
 * Twin: twostage_fixed.c. */
#include "../litmus.h"

static pthread_mutex_t lock1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock2 = PTHREAD_MUTEX_INITIALIZER;
static int first, second;

static void *write_both(void *arg)
{
    pthread_mutex_lock(&lock1);
    first = 1;
    pthread_mutex_unlock(&lock1);
    pthread_mutex_lock(&lock2);
    second = first + 1;
    pthread_mutex_unlock(&lock2);
    return arg;
}

static void *read_both(void *arg)
{
    int seen1, seen2;

    pthread_mutex_lock(&lock1);
    seen1 = first;
    pthread_mutex_unlock(&lock1);
    if (seen1 == 0)
        return arg;
    pthread_mutex_lock(&lock2);
    seen2 = second;
    pthread_mutex_unlock(&lock2);
    assert(seen2 == seen1 + 1);
    return arg;
}

int main(void)
{
    pthread_t a = spawn(write_both);
    pthread_t b = spawn(read_both);

    join(a);
    join(b);
    return 0;
}
