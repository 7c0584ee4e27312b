/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rwlock_clock.c - clock variants of the rwlock with the monotonic clock; an unsuitable
 * clock is EINVAL. */
#include "../conform.h"

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

static void *beside_reader(void *arg)
{
    struct timespec t = in_ms(CLOCK_MONOTONIC, 2);

    IS(pthread_rwlock_clockrdlock(&rw, CLOCK_MONOTONIC, &t), 0);
    IS(pthread_rwlock_unlock(&rw), 0);
    IS(pthread_rwlock_clockwrlock(&rw, CLOCK_MONOTONIC, &t), ETIMEDOUT);
    IS(reached(CLOCK_MONOTONIC, t), 1);
    IS(pthread_rwlock_clockrdlock(&rw, CLOCK_PROCESS_CPUTIME_ID, &t), EINVAL);
    IS(pthread_rwlock_clockwrlock(&rw, CLOCK_PROCESS_CPUTIME_ID, &t), EINVAL);
    return arg;
}

int main(void)
{
    IS(pthread_rwlock_rdlock(&rw), 0);
    finish(start(beside_reader, NULL));
    IS(pthread_rwlock_unlock(&rw), 0);
    return 0;
}
