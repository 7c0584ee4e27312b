/* SPDX-License-Identifier: BSD-2-Clause
 *
 * predict.h - predicts data races that did not occur in an execution, by limited happens-before with locksets,
 * as in Landslide (Blum, 2018).
 *
 * Two critical sections of one lock could have come in the other order.  So locks order nothing here; instead
 * two accesses do not race if both hold a common lock (at least one exclusively, if it can be shared).  All
 * other operations order as in clocks.h, and a thread that wakes up from a wait comes after the critical
 * section for which it waited.  A predicted race may be impossible, because what one section writes may prevent
 * the other from coming first.  So a prediction is a hint, never a finding.
 *
 * There is a list of accesses for each 8 bytes, with one entry for each thread, site and lockset.  This is
 * slow, and done only on request. */
#ifndef HD_DETECT_PREDICT_H
#define HD_DETECT_PREDICT_H

#include "base/limits.h"
#include "detect/race.h"

#define HD_PREDICT_LOCKS HD_LIMIT(16, 3)    /* maximum number of locks held by a thread; further ones are
                                             * ignored */
#define HD_PREDICT_SETS HD_LIMIT(4096, 8)   /* maximum number of locksets in one execution */
#define HD_PREDICT_CELLS (1u << 20)
#define HD_PREDICT_RECORDS (1u << 21)

struct hd_lockset {
    uint32_t n;
    uint32_t lock[HD_PREDICT_LOCKS]; /* 2 * object + 1 if held exclusively */
};

struct hd_predict_record {
    uint64_t pc;
    hd_segment segment;
    uint32_t set;
    uint32_t next; /* 1 + the index of the next record */
    hd_tid tid;
    uint8_t mask;
    bool write, atomic;
};

struct hd_predict_cell {
    uint64_t number; /* address / 8 */
    uint32_t stamp;  /* the execution to which the cell belongs */
    uint32_t first;  /* 1 + the index of the first record */
};

struct hd_predict {
    struct hd_clocks clocks;
    struct hd_predict_cell *cell;     /* [HD_PREDICT_CELLS], open addressing */
    struct hd_predict_record *record; /* [HD_PREDICT_RECORDS] */
    struct hd_lockset *set;           /* [HD_PREDICT_SETS]; number 0 is the empty set */
    uint32_t ncells, nrecords, nsets; /* numbers used in this execution */
    uint32_t held[HD_MAX_THREADS];    /* lockset of each thread */
    hd_race_report *report;
    void *ctx;
};

void hd_predict_init(struct hd_predict *p, struct hd_arena *arena, uint32_t nobjects,
                     hd_race_report *report, void *ctx);
void hd_predict_begin(struct hd_predict *p);
void hd_predict_event(struct hd_predict *p, const struct hd_event *e, uintptr_t addr);
void hd_predict_access(struct hd_predict *p, hd_tid tid, uintptr_t addr, size_t size, bool write,
                       uint64_t pc);

#endif
