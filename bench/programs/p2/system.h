/* SPDX-License-Identifier: BSD-2-Clause
 *
 * system.h - the system calls on which the thread library of this directory is built, with
 * the meaning that the course's kernel (Landslide's "P2" targets) gives them:
 *
 *   deschedule(reject)      the caller stops until it is made runnable, unless *reject is set;
 *                           looking and stopping are one step for the threads that make it runnable
 *   make_runnable(thread)   wakes a thread that is descheduled, and does nothing for one that
 *                           is not: it is not remembered
 *   yield()
 *
 * They stand on a mutex and a condition per thread, the only ones here that are not the
 * library's own. */
#ifndef SYSTEM_H
#define SYSTEM_H

#include "../program.h"

#include <sched.h>

enum { MOST_THREADS = 4 };

struct thread {
    pthread_mutex_t kernel;
    pthread_cond_t runnable;
    bool is_descheduled;
    pthread_t pthread;
    void *(*body)(void *);
    void *arg;
};

static struct thread threads[MOST_THREADS];
static _Thread_local struct thread *self;

static inline void deschedule(const int *reject)
{
    pthread_mutex_lock(&self->kernel);
    if (!atomic_read(*reject)) {
        self->is_descheduled = true;
        while (self->is_descheduled)
            pthread_cond_wait(&self->runnable, &self->kernel);
    }
    pthread_mutex_unlock(&self->kernel);
}

static inline void make_runnable(struct thread *thread)
{
    pthread_mutex_lock(&thread->kernel);
    if (thread->is_descheduled) {
        thread->is_descheduled = false;
        pthread_cond_signal(&thread->runnable);
    }
    pthread_mutex_unlock(&thread->kernel);
}

static inline void yield(void)
{
    sched_yield();
}

static inline void adopt(struct thread *thread)
{
    pthread_mutex_init(&thread->kernel, NULL);
    pthread_cond_init(&thread->runnable, NULL);
}

static void *begin(void *arg)
{
    self = arg;
    return self->body(self->arg);
}

/* Thread number 0 is main: begin_main comes first. */
static inline void begin_main(void)
{
    self = &threads[0];
    adopt(self);
}

static inline void start(int number, void *(*body)(void *), void *arg)
{
    struct thread *thread = &threads[number];

    adopt(thread);
    thread->body = body;
    thread->arg = arg;
    if (pthread_create(&thread->pthread, NULL, begin, thread) != 0)
        exit(77); /* no finding: this machine has no thread left */
}

/* Until the kernel has seen the last of it. */
static inline void await_end(int number)
{
    join(threads[number].pthread);
}

#endif
