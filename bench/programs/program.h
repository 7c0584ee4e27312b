/* SPDX-License-Identifier: BSD-2-Clause
 *
 * program.h - what the benchmark programs share, beyond the litmus programs' words
 * for accesses (visible_*, unseen_*, plain) and threads (spawn, join).
 *
 * Built with -DFIXED each program is its own twin: the same threads and the same
 * claim with the defect mended, in the lines that FIXED guards. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "../../tests/litmus/litmus.h"

/* Sequentially consistent steps of the lock-free programs; each is one point. */
#define atomic_read(object) __atomic_load_n(VOLATILE(object), __ATOMIC_SEQ_CST)
#define atomic_write(object, value) __atomic_store_n(VOLATILE(object), (value), __ATOMIC_SEQ_CST)
#define atomic_swap(object, value) __atomic_exchange_n(VOLATILE(object), (value), __ATOMIC_SEQ_CST)
#define atomic_add(object, value) __atomic_fetch_add(VOLATILE(object), (value), __ATOMIC_SEQ_CST)

/* Half of that: what was written before the first is seen after the second. */
#define release_write(object, value) __atomic_store_n(VOLATILE(object), (value), __ATOMIC_RELEASE)
#define acquire_read(object) __atomic_load_n(VOLATILE(object), __ATOMIC_ACQUIRE)

/* True if `object` was `old` and is `new` now. */
#define atomic_cas(object, old, new)                                                               \
    __extension__({                                                                                \
        __typeof__(object) expected_ = (old);                                                      \
        __atomic_compare_exchange_n(VOLATILE(object), &expected_, (new), 0, __ATOMIC_SEQ_CST,      \
                                    __ATOMIC_SEQ_CST);                                             \
    })

static inline pthread_t spawn_numbered(void *(*body)(void *), int number)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, body, (void *)(intptr_t)number) != 0)
        exit(77); /* no finding: this machine has no thread left */
    return thread;
}

/* What spawn_numbered passed. */
static inline int number_of(void *arg)
{
    return (int)(intptr_t)arg;
}

#endif
