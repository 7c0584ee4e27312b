/* SPDX-License-Identifier: BSD-2-Clause
 *
 * oracle.h - the truth about an in-memory program, by plain recursion over all
 * schedules: its classes of equivalent executions, final states and deadlocks.
 * Shares with src/search only the event table. */
#ifndef HD_TESTS_ORACLE_ORACLE_H
#define HD_TESTS_ORACLE_ORACLE_H

#include "support/program.h"

struct oracle_class {
    uint64_t hash;  /* of the partial order */
    uint64_t lazy;  /* the same without the edges between mutex operations */
    uint64_t state; /* final state */
    bool deadlock;
};

struct oracle {
    struct oracle_class *class; /* [capacity] of the caller; sorted by hash, each once */
    unsigned capacity;
    unsigned n;
    uint64_t schedules;
    uint64_t limit;  /* of schedules; 0 none */
    bool full;       /* there are more than capacity or limit */
};

void oracle_enumerate(struct oracle *o, const struct program *p);
const struct oracle_class *oracle_find(const struct oracle *o, uint64_t hash);

/* Canonical hash of the partial order of these events: equal for two executions iff
 * every pair of conflicting events has the same order.  slot names the threads. */
uint64_t oracle_hash(const struct hd_event *events, uint32_t n, const uint8_t *slot);
uint64_t oracle_lazy_hash(const struct hd_event *events, uint32_t n, const uint8_t *slot);

/* Of everything that a program can see at its end. */
uint64_t oracle_state(const struct prog_state *s);

#endif
