/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fail.h - what the programs share that fail in some interleavings only.
 *
 * With "fixed" as the argument, or another word that the program names, none does. */
#ifndef FAIL_H
#define FAIL_H

#include <string.h>

#include "../litmus.h"

static bool fixed;

static inline void take_variant(int argc, char **argv)
{
    fixed = argc > 1 && strcmp(argv[1], "fixed") == 0;
}

#define get(object) __atomic_load_n(VOLATILE(object), __ATOMIC_SEQ_CST)
#define put(object, value) __atomic_store_n(VOLATILE(object), (value), __ATOMIC_SEQ_CST)

#endif
