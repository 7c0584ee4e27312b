/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dpor.h - the state that the parts of dpor and dpor-optimal share: dpor.c runs
 * executions, dpor_races.c finds what is to be executed next.  See dpor.c. */
#ifndef HD_SEARCH_POR_DPOR_H
#define HD_SEARCH_POR_DPOR_H

#include "search/por/conflicts.h"
#include "search/por/decided.h"
#include "search/por/footprints.h"
#include "search/por/path.h"
#include "search/por/race_cover.h"
#include "search/por/wakeup_share.h"

struct hd_dpor_frame {
    struct hd_wakeup *node; /* that was taken */
    uint64_t born;          /* execution that came here first ... */
    uint64_t since;         /* ... and the first one through this node */
    uint32_t use;           /* of the node, when the execution ended */
};

struct hd_dpor {
    bool optimal;
    bool checks;            /* decisions that hold are made again, and must be the same */
    const struct hd_execution *exec;
    struct hd_path path;
    struct hd_conflicts races;
    struct hd_reversal reversal;
    struct hd_cover cover;
    struct hd_decided decided;
    struct hd_footprints foresee;
    struct hd_wakeup_pool pool;
    struct hd_wakeup_share ws;
    struct hd_wakeup own_root;
    struct hd_wakeup *root;
    struct hd_dpor_frame *frames; /* [HD_MAX_STEPS] */
    struct hd_set asleep; /* threads whose pending operation sleeps at the cut */
    uint32_t resume;      /* decision at which this execution leaves the one before */
    uint32_t prefix;      /* decisions that it has in common with the one before, and that one */
    uint32_t first_new;   /* step from which on races are looked for */
    uint64_t task;        /* serial of the task in hand */
    uint32_t floor;       /* nodes before this one are common; 0: alone */
    bool fresh;           /* first execution of the task */
    uint32_t usable;      /* frames of the execution before that another task may keep */
    uint64_t flags;       /* of the cursor, for this execution */
    uint32_t ndecided;    /* decisions of the last execution that are in the tree */
    uint64_t index;       /* of this execution */
    bool choices;         /* the program has made one: only grows */
    bool guesses;         /* some step cannot be foreseen (D7): only grows */
    bool loses;           /* ... and there is no wakeup tree therefore (D8): only grows */
    bool plain;           /* cover.h answers what it can about the races of this execution */
    bool misled;          /* a step of the tree could not be taken */
    bool differs;         /* a step was other than when another worker took it */
    bool covered;         /* a step of the tree slept: the execution ended before it */
};

/* The node before decision k. */
static inline struct hd_wakeup *hd_dpor_parent(const struct hd_dpor *d, uint32_t k)
{
    return k == 0 ? d->root : d->frames[k - 1].node;
}

/* Of what lies beside decision k, where that is common. */
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

/* Siblings left of the path neither change nor go, also where they are common (T1): they
 * are read without the lock.  Only what is learnt of a choice may come later. */
static inline bool hd_dpor_lock_left(struct hd_dpor *d, uint32_t k)
{
    bool needed = k < d->floor && hd_wakeup_share_has_choices(&d->ws);

    if (needed)
        hd_share_lock(d->ws.share, d->ws.worker);
    return needed;
}

/* What reverses the races of the execution, n steps long, is hung beside its path. */
void hd_dpor_races(struct hd_dpor *d, uint32_t n);

/* What is to be executed next may have turned out to be covered (D7): then it is dropped.
 * The path is n decisions long. */
void hd_dpor_drop(struct hd_dpor *d, uint32_t n);

/* Are there wakeup trees?  Not always with steps that cannot be foreseen (D8). */
static inline bool hd_dpor_is_optimal(const struct hd_dpor *d)
{
    return d->optimal && !d->loses;
}

#endif
