/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rwlock_timed.c - timed variants: ETIMEDOUT beside a holder, EINVAL for bad
 * nanoseconds, success on a free lock even when the time is past. */
#include "../conform.h"

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

static void *beside_writer(void *arg)
{
    struct timespec t = in_ms(CLOCK_REALTIME, 2);

    IS(pthread_rwlock_timedrdlock(&rw, &t), ETIMEDOUT);
    IS(reached(CLOCK_REALTIME, t), 1);
    t = in_ms(CLOCK_REALTIME, 2);
    IS(pthread_rwlock_timedwrlock(&rw, &t), ETIMEDOUT);
    t.tv_nsec = 1000000000;
    IS(pthread_rwlock_timedrdlock(&rw, &t), EINVAL);
    IS(pthread_rwlock_timedwrlock(&rw, &t), EINVAL);
    return arg;
}

int main(void)
{
    struct timespec past = in_ms(CLOCK_REALTIME, -1000);

    IS(pthread_rwlock_timedrdlock(&rw, &past), 0);
    IS(pthread_rwlock_unlock(&rw), 0);
    IS(pthread_rwlock_timedwrlock(&rw, &past), 0);
    finish(start(beside_writer, NULL));
    IS(pthread_rwlock_unlock(&rw), 0);
    return 0;
}
