/* SPDX-License-Identifier: BSD-2-Clause
 *
 * oracle.h - the truth about an in-memory program, by plain recursion over all
 * schedules: its classes of equivalent executions with what the cheapest schedule of
 * each costs, its lazy classes, final states and deadlocks.
 *
 * Costs are those of brute.c: leaving a thread that could go on is one preemption;
 * delays are the enabled threads passed over in creation order from the last one.
 * Choices cost nothing, and a thread that has just yielded is left for free. */
#ifndef HD_TESTS_ORACLE_ORACLE_H
#define HD_TESTS_ORACLE_ORACLE_H

#include "oracle/order.h"

struct oracle_class {
    uint64_t hash;  /* of happens-before */
    uint64_t lazy;  /* hash of the lazy relation */
    uint64_t state; /* final state */
    uint16_t preemptions; /* least of all schedules of the class */
    uint16_t delays;      /* the same, perhaps by another schedule */
    bool deadlock;
};

struct oracle {
    struct oracle_class *class; /* [capacity] of the caller; sorted by hash, each once */
    unsigned capacity;
    unsigned n;
    unsigned nlazy;      /* lazy classes */
    uint64_t schedules;
    uint64_t limit;      /* of schedules; 0 none */
    bool full;           /* there are more than capacity or limit, or one has too many events */
    bool misused;        /* some execution does what no program may do */
    unsigned unlike;     /* equal hashes, different ends: then a relation is wrong */
    unsigned unlike_lazy;
};

/* Most classes that any oracle can have. */
#define ORACLE_CLASSES 100000

void oracle_enumerate(struct oracle *o, const struct program *p);
const struct oracle_class *oracle_find(const struct oracle *o, uint64_t hash);

/* Classes whose least number of preemptions is at most b. */
unsigned oracle_within(const struct oracle *o, unsigned preemptions);

/* Canonical hash of a whole execution, as in struct oracle_class; script: of its threads. */
uint64_t oracle_hash(const struct hd_event *events, uint32_t n, const uint8_t *script);

/* Of everything that a program can see at its end. */
uint64_t oracle_state(const struct prog_state *s);

#endif
