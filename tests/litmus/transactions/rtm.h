/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rtm.h - transactional instructions without an option for the compiler, and two threads. */
#ifndef LITMUS_RTM_H
#define LITMUS_RTM_H

#pragma GCC target("rtm")
#include <immintrin.h>
#include <sched.h>
#include <stdatomic.h>

#include "../litmus.h"

static inline void run2(void *(*first)(void *), void *(*second)(void *))
{
    pthread_t a = spawn(first), b = spawn(second);

    pthread_join(a, NULL);
    pthread_join(b, NULL);
}

#endif
