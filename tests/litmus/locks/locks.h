/* SPDX-License-Identifier: BSD-2-Clause
 *
 * locks.h - what the programs about deadlocks and misuse share.  Each is run as it is,
 * wrong, and with the argument `fixed`, right, so that one sees what makes the
 * difference; some have further variants. */
#ifndef LOCKS_H
#define LOCKS_H

#include <string.h>

#include "../litmus.h"

static const char *variant = "";

static inline bool is(const char *name)
{
    return strcmp(variant, name) == 0;
}

static inline bool fixed(void)
{
    return is("fixed");
}

static inline void choose_variant(int argc, char **argv)
{
    variant = argc > 1 ? argv[1] : "";
}

static inline int run_two(int argc, char **argv, void *(*one)(void *), void *(*other)(void *))
{
    choose_variant(argc, argv);
    pthread_t a = spawn(one), b = spawn(other);

    join(a);
    join(b);
    return 0;
}

static inline void lock(pthread_mutex_t *m)
{
    pthread_mutex_lock(m);
}

static inline void unlock(pthread_mutex_t *m)
{
    pthread_mutex_unlock(m);
}

/* One after the other, and back. */
static inline void lock_both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    lock(first);
    lock(second);
    unlock(second);
    unlock(first);
}

#endif
