/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cond_signal_late.c - a condition is destroyed when another thread may still have to signal
 * it.  At its turn the signal finds the condition destroyed, even if it was announced
 * before.
 * Expect: lock-misuse */
#include <sched.h>
#include <semaphore.h>

#include "../conform.h"

static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t done;

static void *worker(void *arg)
{
    sem_post(&done);
    sched_yield();
    pthread_cond_signal(&c);
    return arg;
}

int main(void)
{
    sem_init(&done, 0, 0);
    pthread_t t = start(worker, NULL);
    sem_wait(&done);
    pthread_cond_destroy(&c);
    finish(t);
    return 0;
}
