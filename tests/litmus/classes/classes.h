/* SPDX-License-Identifier: BSD-2-Clause
 *
 * classes.h - for programs whose number of classes of equivalent executions is
 * known: threads that are numbered, started in order and joined in order.  Neither
 * adds a class: a start depends on nothing but the creation, and main touches
 * nothing that the threads touch. */
#ifndef CLASSES_H
#define CLASSES_H

#include "../litmus.h"

#define MOST_THREADS 64

static inline void *number(int n)
{
    return (void *)(intptr_t)n;
}

static inline int numbered(void *arg)
{
    return (int)(intptr_t)arg;
}

/* The n'th number among the arguments, or what it is when there is none. */
static inline int argument(int argc, char **argv, int n, int otherwise)
{
    return argc > n ? atoi(argv[n]) : otherwise;
}

static inline void run_threads(int n, void *(*body)(void *))
{
    pthread_t thread[MOST_THREADS];

    for (int i = 0; i < n; i++)
        if (pthread_create(&thread[i], NULL, body, number(i)) != 0)
            exit(77); /* no finding: this machine has no thread left */
    for (int i = 0; i < n; i++)
        join(thread[i]);
}

#endif
