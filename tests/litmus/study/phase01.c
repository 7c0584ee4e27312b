/* SPDX-License-Identifier: BSD-2-Clause
 *
 * phase01 - two threads go through two phases of locked sections, and the unlock
 * at the end of the first phase is missing (SCT study, row 17).
 *
 * Claim: both threads finish.  False in every schedule: a thread that is first to end the
 * first phase keeps its lock forever.  The shared counters are under the lock
 * of their phase, so nothing races.  Twin: phase01_fixed.c. */
#include "../litmus.h"

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static int arrived, done;

static void *work(void *arg)
{
    pthread_mutex_lock(&first);
    arrived++;
    pthread_mutex_unlock(&first);
    pthread_mutex_lock(&first);
    arrived--; /* the unlock that belongs here is missing: that is the defect */

    pthread_mutex_lock(&second);
    done++;
    pthread_mutex_unlock(&second);
    pthread_mutex_lock(&second);
    done--;
    pthread_mutex_unlock(&second);
    return arg;
}

int main(void)
{
    pthread_t a = spawn(work);
    pthread_t b = spawn(work);

    join(a);
    join(b);
    return 0;
}
