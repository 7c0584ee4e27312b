/* SPDX-License-Identifier: BSD-2-Clause
 *
 * live.h - what the programs that wait in loops share.
 *
 * Each of them takes the variant as its argument: "bug" (or the name of one) has an
 * interleaving that never ends, the others end in every fair one.  Natively a bug may
 * hang: run it with a time limit. */
#ifndef LIVE_H
#define LIVE_H

#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "../litmus.h"

/* Sequentially consistent: what they guard is ordered by them. */
#define get(object) __atomic_load_n(VOLATILE(object), __ATOMIC_SEQ_CST)
#define put(object, value) __atomic_store_n(VOLATILE(object), (value), __ATOMIC_SEQ_CST)

static const char *variant = "";

static inline bool is(const char *name)
{
    return strcmp(variant, name) == 0;
}

static inline void take_variant(int argc, char **argv)
{
    variant = argc > 1 ? argv[1] : "";
}

/* A thread with a number, 0 or 1. */
static inline pthread_t spawn_number(void *(*body)(void *), intptr_t number)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, body, (void *)number) != 0)
        exit(77);
    return thread;
}

static inline void run_both(void *(*body)(void *))
{
    pthread_t first = spawn_number(body, 0), second = spawn_number(body, 1);

    join(first);
    join(second);
}

#endif
