/* SPDX-License-Identifier: BSD-2-Clause
 *
 * state.h - state inside libc and the kernel that threads share, by name.
 *
 * It has no address in the program and exists once per process, so an object of type
 * HD_OBJ_STATE is identified by its number: first named parts of libc and the kernel, then
 * open files (their positions), then contents of files, keys of thread-specific data, and
 * attributes of threads other than memory. */
#ifndef HD_MODEL_STATE_H
#define HD_MODEL_STATE_H

#include <stdint.h>

#include "base/set.h"
#include "model/object.h"

enum hd_state {
    HD_STATE_DESCRIPTORS,  /* which numbers are free */
    HD_STATE_NAMES,        /* names of files: which exist, and where */
    HD_STATE_SURROUNDINGS, /* working directory and umask */
    HD_STATE_ENVIRONMENT,
    HD_STATE_RANDOM,       /* state of rand and random */
    HD_STATE_DRAND48,
    HD_STATE_KEYS,         /* keys of thread-specific data: which numbers are free */
    HD_STATE_AT_EXIT,      /* functions that exit will call */
    HD_STATE_LOCALE,
    HD_STATE_STRTOK,
    HD_STATE_SIGNALS,      /* signal actions */
    HD_STATE_LIMITS,       /* resource limits */
    HD_STATE_CONNECTIONS,  /* connections that were made but not yet accepted */
    HD_STATES
};

enum {
    HD_STATE_FILES = 1024,               /* number of files distinguished in one execution; the rest
                                          * share one object */
    HD_STATE_INHERITED = 64,             /* descriptors from before main, by number */
    HD_STATE_FIRST_INHERITED = 64,
    HD_STATE_FIRST_OPEN = HD_STATE_FIRST_INHERITED + HD_STATE_INHERITED,
    HD_STATE_FIRST_CONTENTS = HD_STATE_FIRST_OPEN + HD_STATE_FILES,
    HD_STATE_KEY_NUMBERS = 1024,
    HD_STATE_FIRST_KEY = HD_STATE_FIRST_CONTENTS + HD_STATE_FILES, /* existence of a key */
    HD_STATE_FIRST_THREAD = HD_STATE_FIRST_KEY + HD_STATE_KEY_NUMBERS, /* name, priority ..., by
                                                                        * slot */
    HD_STATE_PLACES = HD_STATE_FIRST_THREAD + HD_MAX_THREADS
};

/* The process itself, on which exit operates, is number 0 of that region. */
static inline hd_cname hd_state_name(uint64_t place)
{
    return hd_cname_make(HD_REG_PROCESS, 1, place);
}

#endif
