/* SPDX-License-Identifier: BSD-2-Clause
 *
 * backtrack.h - partial-order reduction with backtrack sets: per decision, which
 * threads are still to be run from there.  What is to be run because of a race is the
 * business of the strategy (classic.c, lazy.c); everything else is here.
 *
 * B1  Frames before the changed decision are those of the execution before.
 * B2  begin does what the cursor says and can be repeated; end only adds to the sets
 *     of wanted threads, and chooses the next decision in the cursor only.  So a
 *     worker may be killed at any instruction.
 * B3  Memory is that of one execution: its length times the sets of a frame.
 * B4  With several workers the frames before share.floor are common (frames_share.h). */
#ifndef HD_SEARCH_POR_BACKTRACK_H
#define HD_SEARCH_POR_BACKTRACK_H

#include "search/core/strategy.h"
#include "search/por/conflicts.h"
#include "search/por/frames_share.h"
#include "search/por/path.h"

struct hd_backtrack_frame {
    struct hd_set enabled;
    struct hd_set wanted;
    struct hd_set done;
    uint16_t chosen;       /* thread or alternative */
    uint16_t alternatives; /* 0: a thread is chosen here */
};

struct hd_backtrack {
    struct hd_decision *decisions;
    struct hd_path path;
    struct hd_conflicts races;
    struct hd_reversal reversal;
    struct hd_backtrack_frame *frame; /* [HD_TRACE_STEPS] */
    bool sleeps;                      /* with sleep sets */
    uint32_t prefix;     /* decisions that are replayed */
    uint32_t first_new;  /* step from which on races are looked for */
    uint64_t flags;      /* of the cursor, for this execution */
    struct hd_frames_share share; /* several workers */
};

/* Words of the cursor that are used here; the others are the strategy's. */
enum hd_backtrack_cursor {
    HD_BT_PREFIX, HD_BT_CHOSEN, HD_BT_FLAGS, HD_BT_TASK, HD_BT_FLOOR, HD_BT_GIVE, HD_BT_FREE
};
enum hd_backtrack_flag { HD_BT_NOT_ALL_SEEN = HD_WAKEUP_NOT_ALL_SEEN };

void hd_backtrack_open(struct hd_backtrack *b, const struct hd_strategy_cfg *cfg);
/* An empty prefix in the cursor starts the search anew; with several workers, a task. */
uint32_t hd_backtrack_begin(struct hd_backtrack *b, const struct hd_cursor *now, uint64_t index);
hd_tid hd_backtrack_pick(struct hd_backtrack *b, const struct hd_point *at);
uint32_t hd_backtrack_choose(struct hd_backtrack *b, const struct hd_point *at, uint32_t n);

/* Make the trace; false: nothing could be learnt from the execution (the cursor says
 * so).  hd_backtrack_next goes on from there. */
bool hd_backtrack_trace(struct hd_backtrack *b, const struct hd_execution *done,
                        struct hd_cursor *next);
/* The races that this execution has and the one before had not. */
void hd_backtrack_races(struct hd_backtrack *b, hd_conflict_found *found, void *ctx);
/* The deepest decision at which something is left to do goes into the cursor. */
void hd_backtrack_next(struct hd_backtrack *b, const struct hd_execution *done,
                       struct hd_cursor *next, struct hd_outcome *out);

/* The thread is to be run at frame k.  Where it cannot, or sleeps, all others are:
 * one of them leads to it. */
void hd_backtrack_want(struct hd_backtrack *b, uint32_t k, hd_tid tid);

#endif
