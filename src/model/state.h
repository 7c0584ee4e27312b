/* SPDX-License-Identifier: BSD-2-Clause
 *
 * state.h - what threads share inside libc and the kernel, by name.
 *
 * None of it has an address in the program, and all of it is there once for the whole
 * process: an object of type HD_OBJ_STATE is known by its place in one numbering.
 * First come the pieces of libc's and the kernel's that have names, then open files
 * (where reading and writing goes on in them), then the contents of files, keys of
 * thread-specific data, and what threads have besides their memory. */
#ifndef HD_MODEL_STATE_H
#define HD_MODEL_STATE_H

#include <stdint.h>

#include "base/set.h"
#include "model/object.h"

enum hd_state {
    HD_STATE_DESCRIPTORS,  /* which numbers are free */
    HD_STATE_NAMES,        /* of files: what there is, and where */
    HD_STATE_SURROUNDINGS, /* working directory and umask */
    HD_STATE_ENVIRONMENT,
    HD_STATE_RANDOM,       /* of rand and random */
    HD_STATE_DRAND48,
    HD_STATE_KEYS,         /* of thread-specific data: which numbers are free */
    HD_STATE_AT_EXIT,      /* what exit will call */
    HD_STATE_LOCALE,
    HD_STATE_STRTOK,
    HD_STATE_SIGNALS,      /* what signals do */
    HD_STATE_LIMITS,       /* of resources */
    HD_STATE_CONNECTIONS,  /* made, and not yet accepted */
    HD_STATES
};

enum {
    HD_STATE_FILES = 1024,               /* told apart in one execution; the rest is one */
    HD_STATE_INHERITED = 64,             /* descriptors from before main, by their numbers */
    HD_STATE_FIRST_INHERITED = 64,
    HD_STATE_FIRST_OPEN = HD_STATE_FIRST_INHERITED + HD_STATE_INHERITED,
    HD_STATE_FIRST_CONTENTS = HD_STATE_FIRST_OPEN + HD_STATE_FILES,
    HD_STATE_KEY_NUMBERS = 1024,
    HD_STATE_FIRST_KEY = HD_STATE_FIRST_CONTENTS + HD_STATE_FILES, /* is there one of that number? */
    HD_STATE_FIRST_THREAD = HD_STATE_FIRST_KEY + HD_STATE_KEY_NUMBERS, /* name, priority …, by slot */
    HD_STATE_PLACES = HD_STATE_FIRST_THREAD + HD_MAX_THREADS
};

/* The process itself, on which exit acts, is number 0 of that region. */
static inline hd_cname hd_state_name(uint64_t place)
{
    return hd_cname_make(HD_REG_PROCESS, 1, place);
}

#endif
