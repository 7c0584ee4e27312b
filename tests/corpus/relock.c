/* SPDX-License-Identifier: BSD-2-Clause
 *
 * relock - a normal mutex as a binary semaphore: another thread unlocks it.
 *
 * Claim: no deadlock.  True with glibc.  POSIX leaves the unlock undefined, so a report of
 * lock misuse is correct, too; a report of a deadlock is not. */
#include "../litmus/litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_mutex_lock(&lock);
    pthread_t other = spawn(work);

    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    join(other);
    return 0;
}
