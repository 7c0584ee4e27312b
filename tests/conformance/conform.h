/* SPDX-License-Identifier: BSD-2-Clause
 *
 * conform.h - the few helpers that the conformance programs share.
 *
 * A wrong return value ends in abort() with the call and both values, so that a
 * failing program tells what it saw without a debugger.  Nothing here
 * synchronises: every visible operation stands in the program itself, apart from
 * the creation and the join of start() and finish(). */
#ifndef CONFORM_H
#define CONFORM_H

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* The expression has this value. */
#define IS(expr, want) conform_is((long)(expr), (long)(want), #expr, __FILE__, __LINE__)
/* The call returns -1 and sets errno to this. */
#define FAILS(call, want)  \
    do {                   \
        errno = 0;         \
        IS(call, -1);      \
        IS(errno, (want)); \
    } while (0)

static inline void conform_is(long got, long want, const char *what, const char *file, int line)
{
    if (got == want)
        return;
    fprintf(stderr, "%s:%d: %s is %ld, want %ld\n", file, line, what, got, want);
    abort();
}

static inline pthread_t start(void *(*fn)(void *), void *arg)
{
    pthread_t t;

    IS(pthread_create(&t, NULL, fn, arg), 0);
    return t;
}

static inline void *finish(pthread_t t)
{
    void *value = NULL;

    IS(pthread_join(t, &value), 0);
    return value;
}

/* The absolute time that many milliseconds from now (negative: in the past). */
static inline struct timespec in_ms(clockid_t clock, long ms)
{
    struct timespec t;

    IS(clock_gettime(clock, &t), 0);
    int64_t ns = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec + (int64_t)ms * 1000000;
    t.tv_sec = (time_t)(ns / 1000000000);
    t.tv_nsec = (long)(ns % 1000000000);
    return t;
}

/* Has that time come? */
static inline bool reached(clockid_t clock, struct timespec t)
{
    struct timespec now;

    IS(clock_gettime(clock, &now), 0);
    return now.tv_sec > t.tv_sec || (now.tv_sec == t.tv_sec && now.tv_nsec >= t.tv_nsec);
}

#endif
