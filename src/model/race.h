/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race.h - a data race: two accesses to the same bytes, at least one of them a write
 * and at least one not atomic, neither of which happens before the other (C11). */
#ifndef HD_MODEL_RACE_H
#define HD_MODEL_RACE_H

#include "base/hash.h"
#include "model/event.h"

/* Whether a store that is not a release continues its own thread's release sequence. */
enum hd_release_rule {
    HD_RELEASE_CONTINUED, /* C11 to C17, C++11 to C++17: the store continues it */
    HD_RELEASE_ENDED,     /* since C++20: the store ends it; only read-modify-writes continue it */
    HD_RELEASE_OPEN,      /* unknown: it is assumed to continue, and the verdict makes no claim that depends on
                           * this */
};

struct hd_race_access {
    uint64_t pc;
    uint32_t position; /* number of events before its segment (detect/clocks.h); the access itself may be later */
    hd_tid tid;
    bool write;
    bool atomic;
    bool frees; /* a write that freed the block containing these bytes */
};

struct hd_race {
    uint64_t addr; /* first byte that both touch */
    uint32_t size;
    struct hd_race_access first, second;
};

/* Returns a number for the pair of places, in either order.  Similar functions race at many pairs of
 * equal distance, so each address is mixed before the two are combined. */
static inline uint64_t hd_race_pair(const struct hd_race *race)
{
    uint64_t a = race->first.pc, b = race->second.pc;

    return hd_hash_mix(hd_hash_mix(0, a < b ? a : b), a < b ? b : a);
}

/* What was observed for two places that access the same memory, if both are scheduling points or may become
 * such.  The bits are for one order of the two places; the next higher ones are for the other order. */
enum hd_race_seen {
    HD_RACE_SEEN = 1,    /* the race occurred in this order */
    HD_RACE_PASSED = 4,  /* the race occurred in an execution that passed */
    HD_RACE_FAILED = 16, /* the race occurred in an execution with another finding after it */
};
#define HD_RACE_BOTH (HD_RACE_SEEN | HD_RACE_SEEN << 1)
#define HD_RACE_ANY_FAILED (HD_RACE_FAILED | HD_RACE_FAILED << 1)
#define HD_RACE_ONE_WAY 64 /* some executions with one order failed, and all with the other order passed */

struct hd_race_row {
    uint64_t key;  /* hash of places and memory; 0: free */
    uint64_t pair; /* hd_race_pair */
    uint32_t seen; /* enum hd_race_seen; bits are only added */
};

/* Properties that make a race look harmless.  In C and C++ no race is harmless. */
enum hd_race_label {
    HD_RACE_SAME_VALUE = 1, /* a write stored the value that was already there */
    HD_RACE_COUNTER = 2,    /* both sides read, change and write in place: x++ */
    HD_RACE_FLAG = 4,       /* one side changes between 0 and 1, the other reads */
    HD_RACE_VOLATILE = 8,   /* the object is declared volatile */
    HD_RACE_TRANSACTION = 16, /* one side is in a transaction; it does not look harmless, but the reason is not obvious */
};

#endif
