/* SPDX-License-Identifier: BSD-2-Clause
 *
 * din_phil - N philosophers who take their two forks under one global lock and
 * count themselves when they have eaten (SCT study, rows 9-14: CS.din_phil2_sat
 * to CS.din_phil7_sat).
 *
 * Claim: it never happens that all have eaten.  False as soon as all have: that is the
 * defect, nearly every schedule shows it.  N = 2, 3, 4 count after they gave the global
 * lock back, so that the count races and may lose one; its reads and writes are visible
 * (which gives the study's figures for N = 2).  N = 5, 6, 7 count under the lock.  N = 7
 * has a second mistake, which hides the first: the global lock is not given back but
 * taken again, which an error-checking mutex refuses; that ended the study's runs.
 * Fix: the lock is given back, and the claim is that no more than N have eaten. */
#define _GNU_SOURCE /* the initialiser of error-checking mutexes */
#include "../program.h"

#ifndef N
#define N 2
#endif

static pthread_mutex_t table = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t forks[N];
static int eaten;

static void claim(int count)
{
#ifdef FIXED
    assert(count <= N);
#else
    assert(count != N);
#endif
}

static void eat(int left, int right)
{
    pthread_mutex_lock(&forks[left]);
    pthread_mutex_lock(&forks[right]);
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
}

static void *dine(void *arg)
{
    int left = number_of(arg);

    pthread_mutex_lock(&table);
    eat(left, (left + 1) % N);
#if N == 7 && !defined FIXED
    assert(pthread_mutex_lock(&table) == 0);
#endif
#if N > 4 || defined FIXED
    claim(++eaten);
    pthread_mutex_unlock(&table);
#else
    pthread_mutex_unlock(&table);
    visible_write(eaten, visible_read(eaten) + 1);
    claim(visible_read(eaten));
#endif
    return NULL;
}

int main(void)
{
    pthread_t philosophers[N];

    for (int i = 0; i < N; i++)
        pthread_mutex_init(&forks[i], NULL);
    for (int i = 0; i < N; i++)
        philosophers[i] = spawn_numbered(dine, i);
    for (int i = 0; i < N; i++)
        join(philosophers[i]);
    return 0;
}
