/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pintos.h - what the tests of Pintos kernels share: a kernel on one CPU, in which a thread that disables
 * interrupts is alone, and threads that block until they are unblocked.  A thread blocks with
 * interrupts disabled and continues so; meanwhile they are enabled.  Each test has its own part of
 * the kernel with its mistakes. */
#ifndef PINTOS_H
#define PINTOS_H

#include "../program.h"

enum { MOST_THREADS = 4 };

struct thread {
    pthread_cond_t unblocked;
    bool is_blocked;
};

static pthread_mutex_t interrupts = PTHREAD_MUTEX_INITIALIZER; /* held: disabled */
static struct thread threads[MOST_THREADS];

static inline void disable_interrupts(void)
{
    pthread_mutex_lock(&interrupts);
}

static inline void enable_interrupts(void)
{
    pthread_mutex_unlock(&interrupts);
}

/* Both with interrupts disabled. */
static inline void block(int me)
{
    threads[me].is_blocked = true;
    while (threads[me].is_blocked)
        pthread_cond_wait(&threads[me].unblocked, &interrupts);
}

static inline void unblock(int thread)
{
    threads[thread].is_blocked = false;
    pthread_cond_signal(&threads[thread].unblocked);
}

static inline void set_up_threads(void)
{
    for (int i = 0; i < MOST_THREADS; i++)
        pthread_cond_init(&threads[i].unblocked, NULL);
}

#endif
