/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race.h - a data race: two accesses to the same bytes, at least one of them a write
 * and at least one not atomic, neither of which happens before the other (C11). */
#ifndef HD_MODEL_RACE_H
#define HD_MODEL_RACE_H

#include "model/event.h"

struct hd_race_access {
    uint64_t pc;
    uint32_t position; /* events that had happened, at least: its segment began then */
    hd_tid tid;
    bool write;
    bool atomic;
};

struct hd_race {
    uint64_t addr; /* first byte that both touch */
    uint32_t size;
    struct hd_race_access first, second;
};

/* What makes a race look harmless to many.  In C and C++ none of them is. */
enum hd_race_label {
    HD_RACE_SAME_VALUE = 1, /* a write stored the value that was there */
    HD_RACE_COUNTER = 2,    /* both sides read, change and write it in place: x++ */
};

#endif
