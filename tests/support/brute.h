/* SPDX-License-Identifier: BSD-2-Clause
 *
 * brute.h - enumerates all schedules of an in-memory program by plain recursion, and computes their costs from the
 * definitions.  It shares no code with src/search: strategies are compared with it. */
#ifndef HD_TESTS_SUPPORT_BRUTE_H
#define HD_TESTS_SUPPORT_BRUTE_H

#include "support/program.h"

struct brute_schedule {
    uint64_t hash; /* hash of the decisions, see schedule_hash */
    unsigned preemptions;
    unsigned delays;
    bool buggy;
};

struct brute {
    struct brute_schedule *schedule; /* [capacity], provided by the caller */
    unsigned capacity;
    unsigned n;
    bool full; /* there are more schedules than capacity */
};

uint64_t schedule_hash(const struct hd_decision *d, uint32_t n);

void brute_enumerate(struct brute *b, const struct program *p);

/* The number of delays from last to t: the enabled threads that are passed over in creation order. */
unsigned brute_delays(const bool *offered, unsigned nthreads, unsigned first, unsigned t);

#endif
