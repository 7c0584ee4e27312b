/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sem_timed_race.c - a timed wait against a post: it gets the unit or times out, and the
 * count agrees. */
#include <semaphore.h>

#include "../conform.h"

static sem_t s;

static void *poster(void *arg)
{
    IS(sem_post(&s), 0);
    return arg;
}

int main(void)
{
    IS(sem_init(&s, 0, 0), 0);
    pthread_t t = start(poster, NULL);
    struct timespec end = in_ms(CLOCK_REALTIME, 5);
    int rc = sem_timedwait(&s, &end), v;

    IS(rc == 0 || errno == ETIMEDOUT, 1);
    finish(t);
    IS(sem_getvalue(&s, &v), 0);
    IS(v, rc == 0 ? 0 : 1);
    return 0;
}
