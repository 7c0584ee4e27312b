/* SPDX-License-Identifier: BSD-2-Clause
 *
 * reorder - threads that set a pair in two steps, and threads that must see all
 * or nothing of it (SCT study, rows 19, 20, 22, 23: CS.reorder_10_bad, _20, _4, _5; row 21 is
 * tests/litmus/study/reorder_3.c).
 *
 * Claim: the pair is (0,0) or (1,-1).  False when a checker comes after the first step of
 * one setter and before the second step of all.  All accesses race; visible are those
 * that the study's race detector had seen racing, which the first read of `b` was not.
 * SETTERS and CHECKERS: X-1 and 1 for X = 4, 5, 10; 10 and 10 for X = 20.
 * Fix: a lock around the pair. */
#include "../program.h"

#ifndef SETTERS
#define SETTERS 3
#endif
#ifndef CHECKERS
#define CHECKERS 1
#endif

static int a, b;

#ifdef FIXED
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *set(void *arg)
{
    pthread_mutex_lock(&lock);
    a = 1;
    b = -1;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *check(void *arg)
{
    pthread_mutex_lock(&lock);
    assert((a == 0 && b == 0) || (a == 1 && b == -1));
    pthread_mutex_unlock(&lock);
    return arg;
}
#else
static void *set(void *arg)
{
    visible_write(a, 1);
    visible_write(b, -1);
    return arg;
}

static void *check(void *arg)
{
    if (visible_read(a) == 0 && unseen_read(&b) == 0)
        return arg;
    assert(visible_read(a) == 1 && visible_read(b) == -1);
    return arg;
}
#endif

int main(void)
{
    pthread_t threads[SETTERS + CHECKERS];

    for (int i = 0; i < SETTERS; i++)
        threads[i] = spawn(set);
    for (int i = SETTERS; i < SETTERS + CHECKERS; i++)
        threads[i] = spawn(check);
    for (int i = 0; i < SETTERS + CHECKERS; i++)
        join(threads[i]);
    return 0;
}
