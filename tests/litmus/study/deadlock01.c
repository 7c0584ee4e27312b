/* SPDX-License-Identifier: BSD-2-Clause
 *
 * deadlock01 - two locks taken in opposite orders (SCT study, row 8).
 *
 * Claim: both threads finish.  False when each holds its first lock.  Nothing
 * races: the counter is under both locks.  The order of the unlocks matters for
 * the count: each thread gives back its second lock first.
 * Twin (-DFIXED): both take the left one first. */
#include "../litmus.h"

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
static int counter = 1;

static void *up(void *arg)
{
    pthread_mutex_lock(&left);
    pthread_mutex_lock(&right);
    counter++;
    pthread_mutex_unlock(&right);
    pthread_mutex_unlock(&left);
    return arg;
}

static void *down(void *arg)
{
#ifdef FIXED
    pthread_mutex_lock(&left);
    pthread_mutex_lock(&right);
#else
    pthread_mutex_lock(&right);
    pthread_mutex_lock(&left);
#endif
    counter--;
    pthread_mutex_unlock(&left);
    pthread_mutex_unlock(&right);
    return arg;
}

int main(void)
{
    pthread_t a = spawn(up);
    pthread_t b = spawn(down);

    join(a);
    join(b);
    return 0;
}
