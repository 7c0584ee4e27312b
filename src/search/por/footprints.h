/* SPDX-License-Identifier: BSD-2-Clause
 *
 * footprints.h - predicts the accesses of an atomic section or a very long step, in which the values read
 * determine what is accessed next.
 *
 * What such a step does depends on its thread's history and, access by access, on the contents of the objects
 * that it touches.  Both are determined by the events that happen before it, so a step with the same causal
 * past repeats its accesses.  The table maps hashes of that past to accesses.  It has two kinds of entries: one
 * gives the object that the step touches next, the other, which also depends on the contents of that object,
 * gives the class of the access.
 *
 * F1  A wakeup tree may omit a sequence v that ends with such a step if some explored step
 *     z is independent of all of v.  Everything after z has been explored, including z·v;
 *     the last step had the same causal past there as without z, so its accesses are in the
 *     table.  If there is no entry, no such z exists and the sequence is executed.
 * F2  Entries are correct if executions are deterministic, up to collisions of 128-bit hashes.  Entries may be
 *     lost because the table is limited; then some executions are redundant.
 * F3  The key of an entry is written last and makes it valid.  A worker that is killed before that leaves no
 *     entry (rule S4). */
#ifndef HD_SEARCH_POR_FOOTPRINTS_H
#define HD_SEARCH_POR_FOOTPRINTS_H

#include "base/arena.h"
#include "base/hash.h"
#include "base/limits.h"
#include "search/por/trace.h"

#define HD_FOOTPRINT_WAY HD_LIMIT(1u << 14, 64) /* maximum number of accesses of a sequence */
#define HD_FOOTPRINT_STEP 128      /* maximum number of accesses of a step */

struct hd_footprint_entry {
    struct hd_hash128 key;
    uint64_t value;
};

/* An access of a sequence that is not executed yet. */
struct hd_footprint_access {
    struct hd_access_of on;
    uint16_t slot;
    struct hd_hash128 by; /* history hash of the accessing step */
};

struct hd_footprints {
    const struct hd_trace *trace;
    struct hd_hash128 *history;         /* [HD_TRACE_STEPS]: history hashes of the steps of the
                                         * trace */
    uint64_t valid;                     /* 1 + the index of the execution that `history` belongs to */
    struct hd_footprint_entry *entry;     /* [entries] */
    uint32_t entries;
    struct hd_footprint_access *way;      /* [HD_FOOTPRINT_WAY]: the accesses of the sequence so far */
    uint32_t nway;
    uint32_t at;                        /* the sequence begins after the first `at` steps of the trace */
    struct hd_access_of on[HD_FOOTPRINT_STEP]; /* accesses of the current step */
    uint32_t non;
};

void hd_footprint_init(struct hd_footprints *f, const struct hd_trace *t, struct hd_arena *arena,
                     uint32_t entries);

/* Call when the trace has changed: stores the accesses of its steps.  Skips the last step if it broke off. */
void hd_footprint_learn(struct hd_footprints *f, bool remember);

/* Predicts the last step of v, if v is executed after the first `at` steps of the trace.  The accesses of the
 * other steps of v are known.  Returns false if there is no prediction. */
bool hd_footprint_last(struct hd_footprints *f, uint32_t at, const struct hd_step *const *v,
                     uint32_t nv, struct hd_step *last);

#endif
