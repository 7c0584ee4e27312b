/* SPDX-License-Identifier: BSD-2-Clause
 *
 * footprints.h - what a step will touch of which that follows from what it finds: an atomic
 * section, or a very long step.
 *
 * Such a step depends on what its thread has done and, one access after the other, on what
 * it finds in the objects that it touches.  Both are what happened before it, so a step that
 * has the same past does the same again.  What was touched is remembered by hashes of that
 * past: of where the step stands, the object that it touches next; and of what it finds
 * there, the access.
 *
 * F1  A wakeup tree may leave out a sequence v that ends with such a step if some z that is
 *     done is independent of all of v.  Whatever came behind z was explored then, also z and
 *     v after it, where the last step had the same past as it has without z: it is remembered.
 *     So who is not remembered has nothing to be left out for, and is executed.
 * F2  What is remembered is right as far as executions can be repeated at all (but for
 *     collisions of 128 bits).  It may be lost: the memory is limited.  Then an execution is
 *     redundant that need not be.
 * F3  An entry counts when its key is whole, which is written last; a worker that is killed
 *     before leaves none (rule S4). */
#ifndef HD_SEARCH_POR_FOOTPRINTS_H
#define HD_SEARCH_POR_FOOTPRINTS_H

#include "base/arena.h"
#include "base/hash.h"
#include "search/por/trace.h"

#define HD_FOOTPRINT_WAY (1u << 14) /* accesses of a sequence */
#define HD_FOOTPRINT_STEP 128       /* accesses of a step */

struct hd_footprint_entry {
    struct hd_hash128 key;
    uint64_t value;
};

/* What a sequence touches that is not executed yet. */
struct hd_footprint_access {
    struct hd_access_of on;
    uint16_t slot;
    struct hd_hash128 by; /* history of the step */
};

struct hd_footprints {
    const struct hd_trace *trace;
    struct hd_hash128 *history;         /* [HD_TRACE_STEPS]: of the steps of the trace */
    uint64_t valid;                     /* index + 1 of the execution that they are of */
    struct hd_footprint_entry *entry;     /* [entries] */
    uint32_t entries;
    struct hd_footprint_access *way;      /* [HD_FOOTPRINT_WAY] */
    uint32_t nway;
    uint32_t at;                        /* the way begins behind so many steps of the trace */
    struct hd_access_of on[HD_FOOTPRINT_STEP]; /* of the step in hand */
    uint32_t non;
};

void hd_footprint_init(struct hd_footprints *f, const struct hd_trace *t, struct hd_arena *arena,
                     uint32_t entries);

/* The trace has changed: remember what its steps did, unless the last one broke off. */
void hd_footprint_learn(struct hd_footprints *f, bool remember);

/* When v is executed behind the first `at` steps of the trace, what does its last step do?
 * The others are known.  False: nobody knows. */
bool hd_footprint_last(struct hd_footprints *f, uint32_t at, const struct hd_step *const *v,
                     uint32_t nv, struct hd_step *last);

#endif
