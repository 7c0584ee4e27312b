/* SPDX-License-Identifier: BSD-2-Clause
 *
 * time_between_threads.c - all threads share one clock: the time that a thread reads before
 * it posts is not later than the time that the other thread reads afterwards.
 * Reduction: several threads read the clock, or one does while another sleeps */
#include <semaphore.h>

#include "../conform.h"

static sem_t s;
static struct timespec before;

static void *worker(void *arg)
{
    before = in_ms(CLOCK_MONOTONIC, 0);
    IS(sem_post(&s), 0);
    return arg;
}

int main(void)
{
    IS(sem_init(&s, 0, 0), 0);
    pthread_t t = start(worker, NULL);
    IS(sem_wait(&s), 0);
    IS(reached(CLOCK_MONOTONIC, before), 1);
    finish(t);
    return 0;
}
