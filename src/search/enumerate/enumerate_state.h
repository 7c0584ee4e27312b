/* SPDX-License-Identifier: BSD-2-Clause
 *
 * enumerate_state.h - the state shared by the parts of the enumeration: enumerate.c runs
 * executions, enumerate_share.c divides them among workers. */
#ifndef HD_SEARCH_ENUMERATE_ENUMERATE_STATE_H
#define HD_SEARCH_ENUMERATE_ENUMERATE_STATE_H

#include "search/core/hbr.h"
#include "search/core/share.h"
#include "search/enumerate/cache_shared.h"
#include "search/enumerate/enumerate.h"

struct hd_enum_frame {
    struct hd_set offered; /* threads; unused for a choice */
    uint32_t step;
    uint32_t cost;         /* cost of the execution before this point */
    uint32_t nhashed;      /* number of events before this point whose hash is known */
    uint16_t alternatives; /* 0: threads; n: a choice of n */
    hd_tid first;          /* start of the order of threads */
    uint16_t chosen;       /* current thread or alternative */
    bool free;             /* every switch here is free */
    bool closed;           /* its remaining alternatives were given away */
    uint64_t born;         /* execution that created the frame */
    uint64_t since;        /* first execution with the current alternative */
};

struct hd_enumerate {
    enum hd_cost cost_model;
    bool finish;  /* stop after the bound at which the first bug was found */
    bool pruned;  /* in this execution some alternative cost too much */
    int64_t last_bound;
    struct hd_decision *decisions;
    uint32_t *stands;
    uint32_t bound;
    uint32_t cost;    /* cost of this execution so far */
    uint32_t nframes; /* number of frames of this execution so far */
    uint32_t kept;    /* number of frames that belong to the prefix */
    uint64_t flags;   /* flags of the cursor for this execution */
    struct hd_enum_frame *frames;
    enum hd_reducer reducer;
    uint64_t index;   /* of this execution */
    uint64_t first;   /* first execution of this pass */
    struct hd_hbr hbr;
    struct hd_cache cache;
    uint64_t cache_mb;
    struct hd_share *share; /* NULL: one worker */
    uint32_t worker;
    uint64_t task;       /* serial of the current task */
    bool pruned_before;  /* value of `pruned` before the last decision */
    bool again;          /* this execution was begun before and must not be cut */
    bool covered;        /* `again` only: from here on an explored execution covers this one */
    uint64_t attempt_at; /* index + 1 of the execution begun last; 0: none */
};

/* Words of the cursor. */
enum hd_enum_cursor {
    HD_ENUM_NFRAMES, HD_ENUM_CHOSEN, HD_ENUM_BOUND, HD_ENUM_FLAGS, HD_ENUM_FIRST, HD_ENUM_TASK,
    HD_ENUM_GIVE
};

enum hd_enum_flag {
    HD_ENUM_PASS_PRUNED = 1,  /* an alternative cost more than the bound of this pass */
    HD_ENUM_BUG_IN_PASS = 2,
    HD_ENUM_NOT_ALL_SEEN = 4, /* an execution broke off, so its continuations are unknown */
    HD_ENUM_TASK_OVER = 8,
};

/* Stores the next alternative after the current one; false if the bound allows no more. */
bool hd_enumerate_next(const struct hd_enumerate *e, const struct hd_enum_frame *f, uint16_t *out);

/* Is a pass that ended with these flags the last one?  *complete: was everything explored? */
bool hd_enumerate_is_last(const struct hd_enumerate *e, uint64_t bound, uint64_t flags,
                          bool *complete);

/* ---- enumerate_share.c ----------------------------------------------------------------- */

void hd_enumerate_share_open(struct hd_enumerate *e, const struct hd_strategy_cfg *cfg);

/* Queue the remaining alternatives of the frame, unless an earlier attempt at this
 * execution did. */
void hd_enumerate_give(struct hd_enumerate *e, struct hd_enum_frame *f, uint64_t index);

/* Take a task; *chosen is its first alternative.  False if there is no task. */
bool hd_enumerate_take(struct hd_enumerate *e, const struct hd_cursor *now, uint16_t *chosen);

/* For several workers with a reducer: hd_enumerate_attempt_over ends the attempt at the previous
 * execution, hd_enumerate_attempt begins that at this one. */
void hd_enumerate_attempt_over(struct hd_enumerate *e, uint64_t index);
void hd_enumerate_attempt(struct hd_enumerate *e, uint64_t index);

/* Does a visit of any worker cover v? */
bool hd_enumerate_visited(struct hd_enumerate *e, const struct hd_cache_visit *v);
/* Did any worker count an execution that ended like v? */
bool hd_enumerate_counted(struct hd_enumerate *e, const struct hd_cache_visit *v);

#endif
