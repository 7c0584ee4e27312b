/* SPDX-License-Identifier: BSD-2-Clause
 *
 * backtrack.h - partial-order reduction with backtrack sets: for each decision, a frame with the threads that
 * must still be run from there.  The strategies (classic.c, lazy.c) decide which threads a race adds;
 * everything else is here.
 *
 * B1  Each execution changes one decision of the previous one.  The frames before that decision stay as they
 *     are.
 * B2  `begin` only does what the cursor says, and `end` only adds threads to the sets and writes the next
 *     decision to the cursor.  Both may be repeated, so a worker may be killed at any instruction.
 * B3  Memory is proportional to the length of one execution.
 * B4  With several workers the frames before share.floor are shared by all of them (frames_share.h). */
#ifndef HD_SEARCH_POR_BACKTRACK_H
#define HD_SEARCH_POR_BACKTRACK_H

#include "search/core/strategy.h"
#include "search/por/conflicts.h"
#include "search/por/frames_share.h"
#include "search/por/path.h"
#include "search/por/retry_sets.h"

struct hd_backtrack_frame {
    struct hd_set enabled;
    struct hd_set wanted;
    struct hd_set done;
    uint16_t chosen;       /* thread or alternative */
    uint16_t alternatives; /* 0: a thread is chosen here; n: a choice of n alternatives */
    struct hd_retry retry;
};

struct hd_backtrack {
    struct hd_decision *decisions;
    struct hd_path path;
    struct hd_conflicts races;
    struct hd_reversal reversal;
    struct hd_backtrack_frame *frame; /* [HD_TRACE_STEPS] */
    bool sleeps;                      /* uses sleep sets */
    bool retry_sets;
    uint32_t prefix;     /* number of decisions that are replayed */
    uint32_t first_new;  /* first step whose races are to be analysed */
    uint64_t flags;      /* flags in the cursor of this execution */
    bool in_vain;        /* the step to be tried cannot run (model/awaits.h) */
    struct hd_frames_share share; /* used with several workers */
};

/* The words of the cursor that this file uses; a strategy may use the remaining ones. */
enum hd_backtrack_cursor {
    HD_BT_PREFIX, HD_BT_CHOSEN, HD_BT_FLAGS, HD_BT_TASK, HD_BT_FLOOR, HD_BT_GIVE, HD_BT_OUTCOMES, HD_BT_FREE
};
enum hd_backtrack_flag { HD_BT_NOT_ALL_SEEN = HD_WAKEUP_NOT_ALL_SEEN };

void hd_backtrack_open(struct hd_backtrack *b, const struct hd_strategy_cfg *cfg);
/* Begins an execution.  If the cursor has an empty prefix, the search starts again or, with several workers, a
 * task begins. */
uint32_t hd_backtrack_begin(struct hd_backtrack *b, const struct hd_cursor *now, uint64_t index);
hd_tid hd_backtrack_pick(struct hd_backtrack *b, const struct hd_point *at);
uint32_t hd_backtrack_choose(struct hd_backtrack *b, const struct hd_point *at, uint32_t n);

/* Builds the trace.  Returns false, and notes so in the cursor, if the execution cannot be analysed.  Call
 * hd_backtrack_next afterwards in either case. */
bool hd_backtrack_trace(struct hd_backtrack *b, const struct hd_execution *done,
                        struct hd_cursor *next);
/* Reports the races of this execution that the previous one did not have. */
void hd_backtrack_races(struct hd_backtrack *b, hd_conflict_found *found, void *ctx);
/* Writes the deepest decision that has work left to the cursor. */
void hd_backtrack_next(struct hd_backtrack *b, const struct hd_execution *done,
                       struct hd_cursor *next, struct hd_outcome *out);

/* Adds the thread to the ones to run at frame k.  If it is not enabled there, or sleeps, adds all enabled
 * threads: one of them leads to it. */
void hd_backtrack_want(struct hd_backtrack *b, uint32_t k, hd_tid tid);
/* True if the thread's next step is in the sleep set of frame k. */
bool hd_backtrack_asleep(const struct hd_backtrack *b, uint32_t k, hd_tid t);

#endif
