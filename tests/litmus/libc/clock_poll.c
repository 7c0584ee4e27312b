/* SPDX-License-Identifier: BSD-2-Clause
 *
 * clock_poll - main takes a lock in each round until another thread has set a flag or a second is over;
 * the other thread never sets it.
 *
 * Claim: the second is over after fewer than 2,000 rounds, each of them two steps.  True: after 64
 * readings a clock advances twice as far, up to a millisecond per reading. */
#include "../litmus.h"

#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int flag;

static void *idle(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t = spawn(idle);
    struct timespec begin, now;
    int set = 0;

    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        pthread_mutex_lock(&lock);
        set = flag;
        pthread_mutex_unlock(&lock);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while (!set && now.tv_sec == begin.tv_sec);
    assert(!set);
    join(t);
    return 0;
}
