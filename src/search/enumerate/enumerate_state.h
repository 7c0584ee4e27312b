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
    struct hd_set offered; /* threads that may be chosen; unused for a choice */
    uint32_t step;
    uint32_t cost;         /* cost of the execution before this point */
    uint32_t nhashed;      /* number of events before this point whose hash is known */
    uint16_t alternatives; /* 0: a thread is chosen here; n: a choice of n alternatives */
    hd_tid first;          /* the thread with which the order begins */
    uint16_t chosen;       /* current thread or alternative */
    bool free;             /* every switch here is free */
    bool closed;           /* its remaining alternatives were given away */
    uint64_t born;         /* index of the execution that created the frame */
    uint64_t since;        /* index of the first execution with the current alternative */
};

struct hd_enumerate {
    enum hd_cost cost_model;
    bool finish;  /* stop after the bound at which the first bug is found */
    bool pruned;  /* in this execution some alternative exceeded the bound */
    int64_t last_bound;
    struct hd_decision *decisions;
    uint32_t *stands;
    uint32_t bound;
    uint32_t cost;    /* cost of this execution so far */
    uint32_t nframes; /* number of frames of this execution so far */
    uint32_t kept;    /* number of frames that belong to the prefix */
    uint64_t flags;   /* flags in the cursor of this execution */
    struct hd_enum_frame *frames;
    enum hd_reducer reducer;
    uint64_t index;   /* index of this execution */
    uint64_t first;   /* index of the first execution of this pass */
    uint64_t restarted_at; /* index of the first execution after a lazy cache has started the search again; 0: it
                            * has not */
    struct hd_hbr hbr;
    struct hd_cache cache;
    uint64_t cache_mb;
    struct hd_share *share; /* NULL: there is only one worker */
    uint32_t worker;
    uint64_t task;       /* serial of the current task */
    bool pruned_before;  /* value of `pruned` before the last decision */
    bool again;          /* this execution was begun before and must not be cut */
    bool covered;        /* only with `again`: what follows has been explored, so no alternatives are tried */
    double weight;       /* weight of the task, as a part of the whole pass (core/estimate.h) */
    double given;        /* the part of it that the worker has given to others */
    double finished;     /* sum over the tasks that this worker has finished in the pass with finished_bound */
    uint32_t finished_bound;
    uint32_t start;      /* number of alternatives of the task's first frame that belong to other tasks */
    uint64_t attempt_at; /* 1 + the index of the execution begun last; 0: none */
};

/* A task of several workers: the remaining alternatives of a frame.  A task without a frame is a whole pass. */
struct hd_enum_branch {
    uint32_t bound;
    uint32_t nframes;
    double weight;
    struct hd_enum_frame frame;
    struct hd_decision prefix[]; /* [frame.step] */
};

/* Words of the cursor. */
enum hd_enum_cursor {
    HD_ENUM_NFRAMES, HD_ENUM_CHOSEN, HD_ENUM_BOUND, HD_ENUM_FLAGS, HD_ENUM_FIRST, HD_ENUM_TASK,
    HD_ENUM_GIVE, HD_ENUM_RESTARTED_AT
};

enum hd_enum_flag {
    HD_ENUM_PASS_PRUNED = 1,  /* an alternative exceeded the bound of this pass */
    HD_ENUM_BUG_IN_PASS = 2,
    HD_ENUM_NOT_ALL_SEEN = 4, /* an execution broke off, so what follows it is unknown */
    HD_ENUM_TASK_OVER = 8,
};

/* Stores the alternative after the current one in *out.  Returns false if the bound allows no more. */
bool hd_enumerate_next(const struct hd_enumerate *e, const struct hd_enum_frame *f, uint16_t *out);

/* True if a pass that ended with these flags is the last one. *complete tells whether everything was explored. */
bool hd_enumerate_is_last(const struct hd_enumerate *e, uint64_t bound, uint64_t flags,
                          bool *complete);

/* ---- enumerate_share.c ----------------------------------------------------------------- */

void hd_enumerate_share_open(struct hd_enumerate *e, const struct hd_strategy_cfg *cfg);

/* Queues the remaining alternatives of the frame, unless an earlier attempt at this execution has done so. */
void hd_enumerate_give(struct hd_enumerate *e, struct hd_enum_frame *f, uint64_t index);

/* Takes a task; *chosen is its first alternative.  Returns false if there is no task. */
bool hd_enumerate_take(struct hd_enumerate *e, const struct hd_cursor *now, uint16_t *chosen);

/* With several workers: stores in the share how much this worker has explored in this pass. */
void hd_enumerate_tell(struct hd_enumerate *e);

/* For several workers with a reducer: hd_enumerate_attempt_over ends the attempt at the previous
 * execution, hd_enumerate_attempt begins that at this one. */
void hd_enumerate_attempt_over(struct hd_enumerate *e, uint64_t index);
void hd_enumerate_attempt(struct hd_enumerate *e, uint64_t index);

/* True if a visit of any worker covers v. */
bool hd_enumerate_visited(struct hd_enumerate *e, const struct hd_cache_visit *v);
/* True if any worker has counted an execution that ended like v. */
bool hd_enumerate_counted(struct hd_enumerate *e, const struct hd_cache_visit *v);

#endif
