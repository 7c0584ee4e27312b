/* SPDX-License-Identifier: BSD-2-Clause
 *
 * state.h - names for the state inside libc and the kernel that threads share.
 *
 * Such state has no address in the program and exists once per process.  So an object of type HD_OBJ_STATE is
 * identified by a number: first come parts of libc and the kernel that have a name, then open files (their
 * positions), the contents of files, keys of thread-specific data, and attributes of threads such as name and
 * priority. */
#ifndef HD_MODEL_STATE_H
#define HD_MODEL_STATE_H

#include <stdint.h>

#include "base/set.h"
#include "model/object.h"

enum hd_state {
    HD_STATE_DESCRIPTORS,  /* which descriptor numbers are free */
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
    HD_STATE_FILES = 1024,               /* number of files distinguished in one execution; all others share one
                                          * object */
    HD_STATE_INHERITED = 64,             /* descriptors that were open before main, by number */
    HD_STATE_FIRST_INHERITED = 64,
    HD_STATE_FIRST_OPEN = HD_STATE_FIRST_INHERITED + HD_STATE_INHERITED,
    HD_STATE_FIRST_CONTENTS = HD_STATE_FIRST_OPEN + HD_STATE_FILES,
    HD_STATE_KEY_NUMBERS = 1024,
    HD_STATE_FIRST_KEY = HD_STATE_FIRST_CONTENTS + HD_STATE_FILES, /* whether a key exists */
    HD_STATE_FIRST_THREAD = HD_STATE_FIRST_KEY + HD_STATE_KEY_NUMBERS, /* by slot: name, priority and other attributes
                                                                        * of a thread */
    HD_STATE_PLACES = HD_STATE_FIRST_THREAD + HD_MAX_THREADS
};

/* Returns the name of a part of the state. (The process itself, on which exit operates, is number 0 of this
 * region.) */
static inline hd_cname hd_state_name(uint64_t place)
{
    return hd_cname_make(HD_REG_PROCESS, 1, place);
}

#endif
