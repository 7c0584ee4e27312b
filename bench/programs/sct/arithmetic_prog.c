/* SPDX-License-Identifier: BSD-2-Clause
 *
 * arithmetic_prog - a producer and a consumer with a one-place shelf; the
 * consumer adds up 1, 2, 3 (SCT study, row 4: CS.arithmetic_prog_bad).
 *
 * Claim: the sum is not 6.  False in every schedule: that is the defect, and any
 * schedule shows it.  Nothing races: the shelf and the sum are under the lock,
 * and main looks after the joins.  Under the study's conventions a wait is three
 * points.  Fix: claim that it is 6. */
#include "../program.h"

enum { ROUNDS = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t emptied = PTHREAD_COND_INITIALIZER;
static pthread_cond_t refilled = PTHREAD_COND_INITIALIZER;
static int filled, sum;

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
        sum += i + 1;
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
#ifdef FIXED
    assert(sum == ROUNDS * (ROUNDS + 1) / 2);
#else
    assert(sum != ROUNDS * (ROUNDS + 1) / 2);
#endif
    return 0;
}
