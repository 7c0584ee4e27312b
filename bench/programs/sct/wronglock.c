/* SPDX-License-Identifier: BSD-2-Clause
 *
 * wronglock - one thread counts up under one lock, OTHERS others count up the
 * same number under another lock (SCT study, row 31: CS.wronglock_bad, seven others; row 30,
 * three, is tests/litmus/study/wronglock_3.c).
 *
 * Claim: the number that the first thread reads back is its own.  False when one
 * of the others comes between.  The locks do not order the two sides, so all
 * accesses to `data` race, and all are visible.  Fix: one lock for all. */
#include "../program.h"

#ifndef OTHERS
#define OTHERS 7
#endif

static pthread_mutex_t right_lock = PTHREAD_MUTEX_INITIALIZER;
#ifdef FIXED
#define wrong_lock right_lock
#else
static pthread_mutex_t wrong_lock = PTHREAD_MUTEX_INITIALIZER;
#endif
static int data;

static void *count_and_check(void *arg)
{
    int before;

    pthread_mutex_lock(&right_lock);
    before = visible_read(data);
    visible_write(data, visible_read(data) + 1);
    assert(visible_read(data) == before + 1);
    pthread_mutex_unlock(&right_lock);
    return arg;
}

static void *count(void *arg)
{
    pthread_mutex_lock(&wrong_lock);
    visible_write(data, visible_read(data) + 1);
    pthread_mutex_unlock(&wrong_lock);
    return arg;
}

int main(void)
{
    pthread_t threads[OTHERS + 1];

    threads[0] = spawn(count_and_check);
    for (int i = 1; i <= OTHERS; i++)
        threads[i] = spawn(count);
    for (int i = 0; i <= OTHERS; i++)
        join(threads[i]);
    return 0;
}
