/* SPDX-License-Identifier: BSD-2-Clause
 *
 * trylock - main tries a lock that a worker takes and gives back.
 *
 * Claim: the thread that gets the lock is alone with it.  The attempt succeeds before
 * the worker's section (the worker's start then has 3 places) or after it (1),
 * and fails inside it (1): 5 orders. */
#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    inside++;
    assert(inside == 1);
    inside--;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t worker = spawn(work);

    if (pthread_mutex_trylock(&lock) == 0) {
        inside++;
    assert(inside == 1);
        inside--;
        pthread_mutex_unlock(&lock);
    }
    join(worker);
    return 0;
}
