/* SPDX-License-Identifier: BSD-2-Clause
 *
 * races.h - what the programs about data races share.  Each is run in several variants,
 * chosen by its argument, next to each other so that one sees what makes the
 * difference: those that race, and their twins that do not.
 *
 * PUT and GET are plain accesses to shared memory that no compiler drops or moves:
 * volatile, which orders nothing and is a plain access to the race detector. */
#ifndef RACES_H
#define RACES_H

#include <string.h>

#include "../litmus.h"

#define PUT(object, value) ((void)(*VOLATILE(object) = (value)))
#define GET(object) (*VOLATILE(object))

static const char *variant = "";

static inline bool is(const char *name)
{
    return strcmp(variant, name) == 0;
}

static inline int run_two(int argc, char **argv, void *(*one)(void *), void *(*other)(void *))
{
    variant = argc > 1 ? argv[1] : "";
    pthread_t a = spawn(one), b = spawn(other);

    join(a);
    join(b);
    return 0;
}

#endif
