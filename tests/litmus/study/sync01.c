/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sync01 - a producer that puts one item into a one-place shelf and a consumer
 * that takes one off it, but the shelf begins with two (SCT study, row 25).
 *
 * Claim: both finish.  False in every schedule: one item always stays, so the
 * producer waits forever.  Nothing races: `filled` is under the lock.  Under
 * the study's conventions a wait is three points: unlock and enqueue, take the
 * wake-up, lock again; the signals are sent after the unlock.
 * Twin (-DFIXED): the shelf begins empty. */
#include "../litmus.h"

enum { ROUNDS = 1 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t emptied = PTHREAD_COND_INITIALIZER;
static pthread_cond_t refilled = PTHREAD_COND_INITIALIZER;
#ifdef FIXED
static int filled;
#else
static int filled = 2;
#endif

static void *produce(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        while (filled > 0)
            pthread_cond_wait(&emptied, &lock);
        filled++;
        pthread_mutex_unlock(&lock);
        pthread_cond_signal(&refilled);
    }
    return arg;
}

static void *consume(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        while (filled == 0)
            pthread_cond_wait(&refilled, &lock);
        filled--;
        pthread_mutex_unlock(&lock);
        pthread_cond_signal(&emptied);
    }
    return arg;
}

int main(void)
{
    pthread_t a = spawn(produce);
    pthread_t b = spawn(consume);

    join(a);
    join(b);
    return 0;
}
