/* SPDX-License-Identifier: BSD-2-Clause
 *
 * wakeup.h - the tree of the steps that the search has taken or still has to take.
 *
 * The current execution is a path in the tree.  The siblings after the path's nodes are sequences to execute
 * later, in that order (a wakeup tree).  The siblings before the path's nodes are done; everything below them
 * has been freed, but the nodes themselves are kept because their steps sleep.
 *
 * W1  A node is linked by one store, after everything below it is complete, and unlinked by one store, before
 *     anything below it is reused.  So a killed process leaks nodes at worst.
 * W2  Inserting a sequence that is already in the tree changes nothing.
 * W3  Nothing is inserted below a node that has or had a task (wakeup_share.h), nor below a leaf: everything
 *     there is explored anyway. (Exceptions: below an open choice whose task has not started, and if the
 *     sequence is `whole`, which extends a leaf.) Nothing sleeps at a leaf (T2), so only as much of a sequence
 *     is added to the tree as is needed to wake all steps that sleep at the insertion point.
 * W4  A choice directly follows its step.  For a leaf, and for an alternative that was
 *     never taken, it is unknown whether a choice follows.  Such an alternative is an open
 *     choice (HD_STEP_OPEN) and never a leaf. */
#ifndef HD_SEARCH_POR_WAKEUP_H
#define HD_SEARCH_POR_WAKEUP_H

#include "base/arena.h"
#include "search/core/share.h"
#include "search/core/step.h"

struct hd_wakeup {
    struct hd_step step;
    struct hd_wakeup *child;  /* first child: the first of the steps that may follow this one */
    struct hd_wakeup *next;   /* next sibling */
    struct hd_wakeup *parent;
    struct hd_task *task;     /* the task whose root this node is or was; or HD_WAKEUP_DONE; or NULL */
    bool free;
    bool known;               /* the step was executed, not just predicted */
    uint8_t origin;           /* enum hd_wakeup_origin */
    bool quiet;               /* no task is queued at this node or below (wakeup_share.h) */
    uint32_t use;             /* how often this memory has been used for a node before */
};

enum hd_wakeup_origin {
    HD_WAKEUP_INSERTED,
    HD_WAKEUP_FREELY,  /* the worker that executes the node's branch chose it freely */
    /* nodes outside the part of the search that this machine explores (share.h, H4); executions only pass through
     * them: */
    HD_WAKEUP_PLANTED, /* the part contained the node from the start */
    HD_WAKEUP_ABOVE,   /* an execution of the part found that this step must be tried, above the part's root */
};

#define HD_WAKEUP_DONE ((struct hd_task *)1) /* everything below the node is explored */

struct hd_wakeup_pool {
    struct hd_arena *arena;
    struct hd_share *share; /* memory for nodes that all workers see; NULL: there is one worker */
    uint32_t worker;
    struct hd_wakeup *free;
    int64_t in_use;         /* negative if this worker has freed nodes that others had taken */
    int64_t in_use_max;     /* maximum of in_use, for the report; includes nodes that killed workers lost */
};

struct hd_wakeup *hd_wakeup_new(struct hd_wakeup_pool *pool, struct hd_wakeup *parent,
                                const struct hd_step *step);

/* Frees everything below n. */
void hd_wakeup_clear(struct hd_wakeup_pool *pool, struct hd_wakeup *n);
/* Frees everything below n and marks n as done. */
void hd_wakeup_prune(struct hd_wakeup_pool *pool, struct hd_wakeup *n);
/* Removes *link and everything below it from the tree. */
void hd_wakeup_drop(struct hd_wakeup_pool *pool, struct hd_wakeup **link);

/* True if the node is an open choice (HD_STEP_OPEN) that has not been executed yet. */
static inline bool hd_wakeup_is_open(const struct hd_wakeup *n)
{
    return n->step.flags & HD_STEP_OPEN && !n->known;
}

/* True if the node lies above or beside the part that this machine explores. */
static inline bool hd_wakeup_is_outside(const struct hd_wakeup *n)
{
    return n->origin >= HD_WAKEUP_PLANTED;
}

/* Rule W3: true if everything after n will be explored anyway. */
static inline bool hd_wakeup_is_settled(const struct hd_wakeup *n)
{
    return n->child == NULL || (n->task != NULL && !hd_wakeup_is_open(n));
}

/* Finds the place for a sequence: the end of the list of siblings *list, which are children of *parent, or a
 * place further down.  Returns NULL if the tree covers the sequence.  The part that must still be inserted is
 * left in *todo. */
struct hd_wakeup **hd_wakeup_place(struct hd_wakeup_pool *pool, struct hd_wakeup **list,
                                   struct hd_wakeup **parent, struct hd_sequence *todo);

/* Creates nodes for all of v below parent, without linking them to it. */
struct hd_wakeup *hd_wakeup_chain(struct hd_wakeup_pool *pool, struct hd_wakeup *parent,
                                  const struct hd_step *const *v, uint32_t nv);

/* True if it is still possible that a choice comes between the open choice n and its children. */
bool hd_wakeup_may_split(const struct hd_wakeup *n);

/* Call when a choice with that many alternatives turns out to come between n and its children: inserts the
 * alternatives below n, each followed by a copy of the children. */
void hd_wakeup_split(struct hd_wakeup_pool *pool, struct hd_wakeup *n, uint16_t alternatives);

/* Appends v to the children of parent. */
void hd_wakeup_add(struct hd_wakeup_pool *pool, struct hd_wakeup *parent,
                   struct hd_wakeup **list, const struct hd_step *const *v, uint32_t nv);

#endif
