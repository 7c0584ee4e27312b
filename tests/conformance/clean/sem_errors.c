/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sem_errors.c - trywait EAGAIN, timed waits ETIMEDOUT and EINVAL, post EOVERFLOW, init
 * EINVAL; getvalue counts. */
#include <semaphore.h>

#include "../conform.h"

int main(void)
{
    struct timespec t = in_ms(CLOCK_REALTIME, 2);
    sem_t s;
    int v;

    FAILS(sem_init(&s, 0, (unsigned)SEM_VALUE_MAX + 1), EINVAL);
    IS(sem_init(&s, 0, 0), 0);
    FAILS(sem_trywait(&s), EAGAIN);
    FAILS(sem_timedwait(&s, &t), ETIMEDOUT);
    IS(reached(CLOCK_REALTIME, t), 1);
    t.tv_nsec = -1;
    FAILS(sem_timedwait(&s, &t), EINVAL);
    t = in_ms(CLOCK_MONOTONIC, 2);
    FAILS(sem_clockwait(&s, CLOCK_MONOTONIC, &t), ETIMEDOUT);
    IS(reached(CLOCK_MONOTONIC, t), 1);
    FAILS(sem_clockwait(&s, CLOCK_PROCESS_CPUTIME_ID, &t), EINVAL);
    IS(sem_post(&s), 0);
    IS(sem_post(&s), 0);
    IS(sem_getvalue(&s, &v), 0);
    IS(v, 2);
    IS(sem_trywait(&s), 0);
    t = in_ms(CLOCK_REALTIME, -1000);
    IS(sem_timedwait(&s, &t), 0);
    IS(sem_destroy(&s), 0);
    IS(sem_init(&s, 0, SEM_VALUE_MAX), 0);
    FAILS(sem_post(&s), EOVERFLOW);
    IS(sem_destroy(&s), 0);
    return 0;
}
