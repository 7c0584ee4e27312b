/* SPDX-License-Identifier: BSD-2-Clause
 *
 * back_off - locks one mutex and tries the other; if that fails, releases the first and starts with the other.
 *
 * Claim: no increment is lost.  True; but both threads may back off at the same time forever, even under a
 * fair scheduler: that is a livelock. */
#include "../litmus/litmus.h"

static pthread_mutex_t lock[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static int x;

static void with_both(int first)
{
    for (;;) {
        pthread_mutex_lock(&lock[first]);
        if (pthread_mutex_trylock(&lock[1 - first]) == 0)
            break;
        pthread_mutex_unlock(&lock[first]);
        first = 1 - first;
    }
    x++;
    pthread_mutex_unlock(&lock[0]);
    pthread_mutex_unlock(&lock[1]);
}

static void *work(void *arg)
{
    with_both(0);
    return arg;
}

int main(void)
{
    pthread_t other = spawn(work);

    with_both(1);
    join(other);
    return x - 2;
}
