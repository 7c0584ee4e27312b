/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dpor.h - the state shared by the parts of dpor and dpor-optimal: dpor.c runs executions,
 * dpor_races.c derives the sequences to execute next.  See dpor.c. */
#ifndef HD_SEARCH_POR_DPOR_H
#define HD_SEARCH_POR_DPOR_H

#include "search/core/strategy.h"
#include "search/por/conflicts.h"
#include "search/por/decided.h"
#include "search/por/footprints.h"
#include "search/por/path.h"
#include "search/por/race_cover.h"
#include "search/por/wakeup_share.h"

struct hd_dpor_frame {
    struct hd_wakeup *node; /* the node taken at this decision */
    uint64_t born;          /* first execution that reached this decision */
    uint64_t since;         /* first execution through this node */
    uint32_t use;           /* node->use when the execution ended */
};

/* A reversal that ends with an operation of a waiting loop, for which it is unknown whether it would only begin
 * another round (D10). */
struct hd_dpor_try {
    uint32_t e;
    uint32_t first, n;   /* v without the operation: range in hd_dpor_tries.step */
    struct hd_step last; /* the operation */
    uint64_t key;        /* of the operation */
    uint32_t value;      /* that it would find (hd_event_value_hash) */
};

#define HD_DPOR_TRIES HD_LIMIT(256, 1)

struct hd_dpor_tries {
    struct hd_dpor_try row[HD_DPOR_TRIES];
    uint32_t n;
    uint32_t *step; /* [HD_TRACE_STEPS]: steps of the trace */
    uint32_t nstep;
    const struct hd_dpor_try *now; /* the row that this execution tries; NULL: an ordinary execution */
    uint32_t ndecided; /* decisions of the last ordinary execution */
    struct hd_decision *decisions, *kept; /* decisions of this execution, and of the last ordinary one */
    uint32_t *stands, *kept_stands;
    uint32_t nkept;
};

struct hd_dpor {
    bool optimal;
    bool checks;            /* check=1: repeat valid decisions and compare (decided.h) */
    const struct hd_execution *exec;
    struct hd_path path;
    struct hd_conflicts races;
    struct hd_reversal reversal;
    struct hd_cover cover;
    struct hd_decided decided;
    struct hd_footprints foresee;
    struct hd_dpor_tries tries;
    struct hd_wakeup_pool pool;
    struct hd_wakeup_share ws;
    struct hd_wakeup own_root;
    struct hd_wakeup *root;
    struct hd_dpor_frame *frames; /* [HD_MAX_STEPS] */
    struct hd_set asleep; /* threads whose pending operation sleeps where the execution was cut */
    uint32_t resume;      /* decision at which this execution leaves the previous one */
    uint32_t prefix;      /* number of decisions shared with the previous one, plus the changed
                           * one */
    uint32_t first_new;   /* first step whose races are to be analysed */
    uint64_t task;        /* serial of the current task */
    uint32_t floor;       /* nodes before this depth are common; 0: one worker */
    bool fresh;           /* first execution of the task */
    uint32_t usable;      /* number of frames of the previous execution that another task may
                           * reuse */
    uint64_t flags;       /* of the cursor, for this execution */
    uint32_t ndecided;    /* decisions of the last execution that are in the tree */
    uint64_t index;       /* of this execution */
    bool choices;         /* the program has made a choice; never reset */
    bool guesses;         /* some step cannot be predicted (D7); never reset */
    bool loses;           /* the wakeup tree was given up for that reason (D8); never reset */
    bool plain;           /* race_cover.h may be used for this execution */
    bool stopped;         /* the races now are those of hd_conflicts_of_stopped */
    bool misled;          /* a step of the tree could not be taken */
    bool differs;         /* a step differed from the one that another worker executed */
    bool covered;         /* a step of the tree slept, or its operation would go round (D9): the
                           * execution was cut before it */
};

/* The node before decision k. */
static inline struct hd_wakeup *hd_dpor_parent(const struct hd_dpor *d, uint32_t k)
{
    return k == 0 ? d->root : d->frames[k - 1].node;
}

/* Lock the siblings of decision k if they are common. */
static inline void hd_dpor_lock(struct hd_dpor *d, uint32_t k)
{
    if (k < d->floor)
        hd_share_lock(d->ws.share, d->ws.worker);
}

static inline void hd_dpor_unlock(struct hd_dpor *d, uint32_t k)
{
    if (k < d->floor)
        hd_share_unlock(d->ws.share);
}

/* Siblings left of the path neither change nor disappear, also where they are common (T1),
 * so they are read without the lock.  Exception: information about choices may arrive
 * later. */
static inline bool hd_dpor_lock_left(struct hd_dpor *d, uint32_t k)
{
    bool needed = k < d->floor && hd_wakeup_share_has_choices(&d->ws);

    if (needed)
        hd_share_lock(d->ws.share, d->ws.worker);
    return needed;
}

/* Makes the strategy continue with source sets (D8, D10). */
void hd_dpor_lose(struct hd_dpor *d);

/* Makes the search execute the reversal instead of step e, unless it is covered already.
 * Returns what covers it.  v is the reversal as a sequence; racer is the step of the
 * operation, if it was executed. */
int64_t hd_dpor_want(struct hd_dpor *d, uint32_t e, uint32_t racer, struct hd_sequence *v);

/* ---- dpor_tries.c (D10) ---- */

void hd_dpor_tries_init(struct hd_dpor *d, const struct hd_strategy_cfg *cfg);
/* Adds d->reversal, which is untried.  False if that is not possible. */
bool hd_dpor_put_off(struct hd_dpor *d, uint32_t e);
/* Inserts the reversals from row i on that have turned out to be possible.  Returns the first row that
 * must be tried, or tries.n.  tried: row i was. */
uint32_t hd_dpor_settle(struct hd_dpor *d, uint32_t i, bool tried);
/* The first function saves the n decisions of an ordinary execution while others are tried; the second restores
 * them. */
void hd_dpor_tries_keep(struct hd_dpor *d, uint32_t n);
void hd_dpor_tries_over(struct hd_dpor *d);
/* Decisions of an execution that tries tries.now. */
hd_tid hd_dpor_try_pick(const struct hd_dpor *d, const struct hd_point *at);
uint32_t hd_dpor_try_choose(const struct hd_dpor *d, const struct hd_point *at, uint32_t n);

/* Insert the sequences that reverse the races of the execution, which is n steps long. */
void hd_dpor_races(struct hd_dpor *d, uint32_t n);

/* Drop sequences that are next but turn out to be covered (D7).  The path has n decisions. */
void hd_dpor_drop(struct hd_dpor *d, uint32_t n);

/* Does the search use wakeup trees?  Unpredictable steps may rule them out (D8). */
static inline bool hd_dpor_is_optimal(const struct hd_dpor *d)
{
    return d->optimal && !d->loses;
}

#endif
