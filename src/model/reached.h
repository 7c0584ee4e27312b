/* SPDX-License-Identifier: BSD-2-Clause
 *
 * reached.h - how many different classes and states the executions of a search have reached
 * (--count).  All workers share one set of hashes for each. */
#ifndef HD_MODEL_REACHED_H
#define HD_MODEL_REACHED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/limits.h"

enum hd_reached_kind {
    HD_REACHED_CLASSES, /* happens-before relations */
    HD_REACHED_LAZY,    /* happens-before relations without the order of critical sections (search/core/hbr.h) */
    HD_REACHED_STATES,  /* contents of the program's variables at the end */
    HD_REACHED_KINDS
};

#define HD_REACHED_ROWS HD_LIMIT(1u << 22, 64u)

struct hd_reached {
    uint64_t n[HD_REACHED_KINDS]; /* number of distinct elements in the current pass */
    uint64_t pass;                /* the pass for which n counts */
    uint32_t full;                /* bits: the set is full, so there may be more elements */
    uint32_t unsure;              /* bits: the number is not valid, because of something that the program does */
    uint64_t row[HD_REACHED_KINDS][HD_REACHED_ROWS]; /* open addressing; 0: free */
};

extern const char *const hd_reached_words[]; /* NULL-terminated */

/* Adds a hash that an execution of a pass has reached. */
void hd_reached_add(struct hd_reached *r, enum hd_reached_kind kind, uint64_t pass, uint64_t hash);

#endif
