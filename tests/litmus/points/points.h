/* SPDX-License-Identifier: BSD-2-Clause
 *
 * points.h - for programs whose plain accesses are scheduling points (--points=races,
 * --points=all).  Shared variables are volatile: then each access in the source is one
 * in the program.  Volatile orders nothing, so races on them are races. */
#ifndef POINTS_H
#define POINTS_H

#include "../litmus.h"

#define shared static volatile

/* Two threads, to their end. */
static inline void run_two(void *(*one)(void *), void *(*other)(void *))
{
    pthread_t a = spawn(one), b = spawn(other);

    join(a);
    join(b);
}

#endif
