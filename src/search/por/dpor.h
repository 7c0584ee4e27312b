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
    uint64_t born;          /* index of the first execution that reached this decision */
    uint64_t since;         /* index of the first execution through this node */
    uint32_t use;           /* value of node->use when the execution ended */
};

/* A reversal that ends with an operation of a waiting loop, for which it is unknown whether it would only begin
 * another round (D10). */
struct hd_dpor_try {
    uint32_t e;
    uint32_t first, n;   /* v without the operation: n entries of hd_dpor_tries.step, from `first` on */
    struct hd_step last; /* the operation */
    uint64_t key;        /* the operation's key (model/awaits.h) */
    uint32_t value;      /* hash of the value that the operation would find (hd_event_value_hash) */
};

#define HD_DPOR_TRIES HD_LIMIT(256, 1)

struct hd_dpor_tries {
    struct hd_dpor_try row[HD_DPOR_TRIES];
    uint32_t n;
    uint32_t *step; /* [HD_TRACE_STEPS]: indices of steps of the trace */
    uint32_t nstep;
    const struct hd_dpor_try *now; /* the row that this execution tries; NULL: an ordinary execution */
    uint32_t ndecided; /* number of decisions of the last ordinary execution */
    struct hd_decision *decisions, *kept; /* decisions of this execution, and of the last ordinary one */
    uint32_t *stands, *kept_stands;
    uint32_t nkept;
};

struct hd_dpor {
    bool optimal;
    bool checks;            /* check=1: analyse races with a valid decision again, and compare (decided.h) */
    const struct hd_execution *exec;
    struct hd_path path;
    struct hd_conflicts races;
    struct hd_reversal reversal;
    struct hd_cover cover;
    struct hd_decided decided;
    struct hd_footprints footprints;
    struct hd_dpor_tries tries;
    struct hd_wakeup_pool pool;
    struct hd_wakeup_share ws;
    struct hd_wakeup own_root;
    struct hd_wakeup *root;
    struct hd_dpor_frame *frames; /* [HD_MAX_STEPS] */
    struct hd_set asleep; /* threads whose pending operation sleeps where the execution was cut */
    uint32_t resume;      /* the decision that this execution changes */
    uint32_t prefix;      /* number of decisions to repeat from the previous execution, including the changed
                           * one */
    uint32_t first_new;   /* first step whose races are to be analysed */
    uint64_t task;        /* serial of the current task */
    uint32_t floor;       /* nodes before this depth are shared by the workers; 0: there is only one worker */
    bool fresh;           /* first execution of the task */
    uint32_t usable;      /* number of frames of the previous execution that the next task may reuse (D6) */
    uint64_t flags;       /* flags in the cursor of this execution */
    uint32_t ndecided;    /* number of decisions of the last execution that are in the tree */
    bool analysed;        /* all frames of the execution have a node */
    uint64_t index;       /* index of this execution */
    bool choices;         /* the program has made a choice; never reset */
    bool guesses;         /* the accesses of some step cannot be predicted (D7); never reset */
    bool loses;           /* the wakeup tree was given up (D8, D10); never reset */
    bool plain;           /* race_cover.h may be used for this execution */
    bool stopped;         /* the races being analysed are those of hd_conflicts_of_stopped */
    bool misled;          /* a step of the tree could not be taken */
    bool differs;         /* a step differed from the one that another worker executed */
    bool covered;         /* the execution was cut before a step of the tree, which slept (D8) or would only
                           * begin another round (D9) */
};

/* Returns the node whose children are the possible steps of decision k. */
static inline struct hd_wakeup *hd_dpor_parent(const struct hd_dpor *d, uint32_t k)
{
    return k == 0 ? d->root : d->frames[k - 1].node;
}

/* Takes the lock that protects the siblings at decision k, if they are shared. */
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

/* Takes the lock for reading the siblings left of the path, if that is necessary.  Such siblings neither change
 * nor disappear, also where they are shared (T1), except that information about choices may arrive later. */
static inline bool hd_dpor_lock_left(struct hd_dpor *d, uint32_t k)
{
    bool needed = k < d->floor && hd_wakeup_share_has_choices(&d->ws);

    if (needed)
        hd_share_lock(d->ws.share, d->ws.worker);
    return needed;
}

/* Makes the strategy continue with source sets (D8, D10). */
void hd_dpor_lose(struct hd_dpor *d);

/* Makes the search execute the reversal instead of step e, unless something covers it already.  Returns what
 * covers it.  Stores the reversal as a sequence in *v. `racer` is the step of its last operation, if that was
 * executed. */
int64_t hd_dpor_want(struct hd_dpor *d, uint32_t e, uint32_t racer, struct hd_sequence *v);

/* ---- dpor_tries.c (D10) ---- */

void hd_dpor_tries_init(struct hd_dpor *d, const struct hd_strategy_cfg *cfg);
/* Adds d->reversal, whose outcome is unknown, to the rows to try.  Returns false if that is not possible. */
bool hd_dpor_put_off(struct hd_dpor *d, uint32_t e);
/* Goes through the rows from i on and inserts those reversals that are known to be possible.  Returns the first
 * row that must be tried, or tries.n if there is none. `tried` tells that row i has been tried. */
uint32_t hd_dpor_settle(struct hd_dpor *d, uint32_t i, bool tried);
/* hd_dpor_tries_keep saves the n decisions of an ordinary execution before others are tried; hd_dpor_tries_over
 * restores them. */
void hd_dpor_tries_keep(struct hd_dpor *d, uint32_t n);
void hd_dpor_tries_over(struct hd_dpor *d);
/* Make the decisions of an execution that tries the row tries.now. */
hd_tid hd_dpor_try_pick(const struct hd_dpor *d, const struct hd_point *at);
uint32_t hd_dpor_try_choose(const struct hd_dpor *d, const struct hd_point *at, uint32_t n);

/* Inserts the sequences that reverse the races of the execution, which has n steps. */
void hd_dpor_races(struct hd_dpor *d, uint32_t n);

/* Drops the sequences that come next but turn out to be covered (D7).  The path has n decisions. */
void hd_dpor_drop(struct hd_dpor *d, uint32_t n);

/* True if the search uses wakeup trees; steps that cannot be predicted may rule them out (D8). */
static inline bool hd_dpor_is_optimal(const struct hd_dpor *d)
{
    return d->optimal && !d->loses;
}

#endif
