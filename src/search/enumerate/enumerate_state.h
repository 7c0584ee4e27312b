/* SPDX-License-Identifier: BSD-2-Clause
 *
 * enumerate_state.h - the state that the parts of the enumeration share: enumerate.c runs
 * executions, enumerate_share.c divides them among several workers. */
#ifndef HD_SEARCH_ENUMERATE_ENUMERATE_STATE_H
#define HD_SEARCH_ENUMERATE_ENUMERATE_STATE_H

#include "search/core/hbr.h"
#include "search/core/share.h"
#include "search/enumerate/cache_shared.h"
#include "search/enumerate/enumerate.h"

struct hd_enum_frame {
    struct hd_set offered; /* threads; unused for a choice */
    uint32_t step;
    uint32_t cost;         /* of the execution before this point */
    uint32_t nhashed;      /* events before this point of which the hash is known */
    uint16_t alternatives; /* 0: threads; n: a choice of n */
    hd_tid first;          /* where the order of threads starts */
    uint16_t chosen;       /* thread or alternative */
    bool free;             /* every switch here is free */
    bool closed;           /* what was left was given away */
    uint64_t born;         /* execution that made it ... */
    uint64_t since;        /* ... and the first one with this choice */
};

struct hd_enumerate {
    enum hd_cost cost_model;
    bool finish;  /* stop after the bound at which the first bug was found */
    bool pruned;  /* this execution: some alternative cost too much */
    int64_t last_bound;
    struct hd_decision *decisions;
    uint32_t *stands;
    uint32_t bound;
    uint32_t cost;    /* of this execution so far */
    uint32_t nframes; /* of this execution so far */
    uint32_t kept;    /* of these, what belongs to the prefix */
    uint64_t flags;   /* of the cursor, for this execution */
    struct hd_enum_frame *frames;
    enum hd_reducer reducer;
    uint64_t index;   /* of this execution */
    uint64_t first;   /* of this pass */
    struct hd_hbr hbr;
    struct hd_cache cache;
    uint64_t cache_mb;
    struct hd_share *share; /* NULL: alone */
    uint32_t worker;
    uint64_t task;       /* serial of the task in hand */
    bool again;          /* this execution was begun before, and is not cut ... */
    bool covered;        /* ... but from here on another one stands for it */
    uint64_t attempt_at; /* index + 1 of the execution that was begun last; 0 none */
};

/* Words of the cursor. */
enum hd_enum_cursor {
    HD_ENUM_NFRAMES, HD_ENUM_CHOSEN, HD_ENUM_BOUND, HD_ENUM_FLAGS, HD_ENUM_FIRST, HD_ENUM_TASK,
    HD_ENUM_GIVE
};

enum hd_enum_flag {
    HD_ENUM_PASS_PRUNED = 1,  /* something cost more than the bound of this pass */
    HD_ENUM_BUG_IN_PASS = 2,
    HD_ENUM_NOT_ALL_SEEN = 4, /* an execution broke off: what lies behind it is unknown */
    HD_ENUM_TASK_OVER = 8,
};

/* The alternative after the chosen one that the bound allows. */
bool hd_enumerate_next(const struct hd_enumerate *e, const struct hd_enum_frame *f, uint16_t *out);

/* Is a pass that ended with these flags the last one, and was all explored then? */
bool hd_enumerate_is_last(const struct hd_enumerate *e, uint64_t bound, uint64_t flags,
                          bool *complete);

/* ---- enumerate_share.c ----------------------------------------------------------------- */

void hd_enumerate_share_open(struct hd_enumerate *e, const struct hd_strategy_cfg *cfg);

/* Queue what is left of the frame, unless that was done before this execution already. */
void hd_enumerate_give(struct hd_enumerate *e, struct hd_enum_frame *f, uint64_t index);

/* A branch to begin with: *chosen is its first alternative. */
bool hd_enumerate_take(struct hd_enumerate *e, const struct hd_cursor *now, uint16_t *chosen);

/* Several workers with a reducer: the execution before is over, this one begins. */
void hd_enumerate_attempt_over(struct hd_enumerate *e, uint64_t index);
void hd_enumerate_attempt(struct hd_enumerate *e, uint64_t index);

/* Is v covered by a visit of anybody? */
bool hd_enumerate_visited(struct hd_enumerate *e, const struct hd_cache_visit *v);
/* Was an execution that ended like v counted by anybody? */
bool hd_enumerate_counted(struct hd_enumerate *e, const struct hd_cache_visit *v);

#endif
