/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race.h - a data race: two accesses to the same bytes, at least one of them a write
 * and at least one not atomic, neither of which happens before the other (C11). */
#ifndef HD_MODEL_RACE_H
#define HD_MODEL_RACE_H

#include "base/hash.h"
#include "model/event.h"

/* Does a store that does not release go on with the release sequence of its own thread? */
enum hd_release_rule {
    HD_RELEASE_CONTINUED, /* C11 to C17, C++11 to C++17: yes */
    HD_RELEASE_ENDED,     /* since C++20: no, only read-modify-writes do */
    HD_RELEASE_OPEN,      /* not known: taken as a yes, and the verdict claims nothing that rests on it */
};

struct hd_race_access {
    uint64_t pc;
    uint32_t position; /* events that had happened, at least: its segment began then */
    hd_tid tid;
    bool write;
    bool atomic;
    bool frees; /* a write in that the block with these bytes was freed */
};

struct hd_race {
    uint64_t addr; /* first byte that both touch */
    uint32_t size;
    struct hd_race_access first, second;
};

/* The same number for the same two places, whichever comes first.  Twin functions race at
 * many pairs that are equally far apart: each address is spread before they are joined. */
static inline uint64_t hd_race_pair(const struct hd_race *race)
{
    uint64_t a = race->first.pc, b = race->second.pc;

    return hd_hash_mix(hd_hash_mix(0, a < b ? a : b), a < b ? b : a);
}

/* What was seen of two places at the same memory, where both are scheduling points or may
 * become such.  Bits for the one order; those for the other are the next higher ones. */
enum hd_race_seen {
    HD_RACE_SEEN = 1,    /* the race was, in this order ... */
    HD_RACE_PASSED = 4,  /* ... in an execution that came to a good end */
    HD_RACE_FAILED = 16, /* ... in one that has another finding, later than the race */
};
#define HD_RACE_BOTH (HD_RACE_SEEN | HD_RACE_SEEN << 1)
#define HD_RACE_ANY_FAILED (HD_RACE_FAILED | HD_RACE_FAILED << 1)
#define HD_RACE_ONE_WAY 64 /* the one order only failed or did both, the other only passed */

struct hd_race_row {
    uint64_t key;  /* of places and memory; 0: free */
    uint64_t pair; /* hd_race_pair */
    uint32_t seen; /* enum hd_race_seen; bits are only ever added */
};

/* What makes a race look harmless to many.  In C and C++ none of them is. */
enum hd_race_label {
    HD_RACE_SAME_VALUE = 1, /* a write stored the value that was there */
    HD_RACE_COUNTER = 2,    /* both sides read, change and write it in place: x++ */
    HD_RACE_FLAG = 4,       /* one side writes what was 0 or 1 before and after, the other reads */
    HD_RACE_VOLATILE = 8,   /* it is declared so */
};

#endif
