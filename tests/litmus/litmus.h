/* SPDX-License-Identifier: BSD-2-Clause
 *
 * litmus.h - what the litmus programs share.
 *
 * The expected counts depend on exactly which accesses are scheduling points, so
 * every shared access says what it is:
 *   visible_*    a relaxed atomic: a scheduling point for Heddle, and no data race
 *   unseen_*     a racy access that must be neither a point nor a finding: made in
 *                a function that the compiler does not instrument, and that is declared
 *                as trusted, so that the verdict keeps its claim
 *   plain x      an access that locks or joins order
 * The programs also run natively, without Heddle. */
#ifndef LITMUS_H
#define LITMUS_H

#undef NDEBUG /* the assertions are the claims */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include <heddle/heddle.h>

/* Volatile, or a compiler may drop writes that are never read, and with them points. */
#define VOLATILE(object) ((volatile __typeof__(object) *)&(object))
#define visible_read(object) __atomic_load_n(VOLATILE(object), __ATOMIC_RELAXED)
#define visible_write(object, value) __atomic_store_n(VOLATILE(object), (value), __ATOMIC_RELAXED)

__attribute__((unused)) HEDDLE_TRUSTED static int unseen_read(const volatile int *p)
{
    return *p;
}

__attribute__((unused)) HEDDLE_TRUSTED static void unseen_write(volatile int *p, int value)
{
    *p = value;
}

static inline pthread_t spawn(void *(*body)(void *))
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, body, NULL) != 0)
        exit(77); /* no finding: this machine has no thread left */
    return thread;
}

static inline void join(pthread_t thread)
{
    pthread_join(thread, NULL);
}

#endif
