/* SPDX-License-Identifier: BSD-2-Clause
 *
 * wakeup.h - the tree of steps that the search has taken and has yet to take.
 *
 * The current execution is a path in the tree.  The siblings after the path's nodes are
 * sequences to execute later, in that order (a wakeup tree).  The siblings before the
 * path's node are done; only the node itself is kept, because its step sleeps.
 *
 * W1  One store links a node after everything below it is complete, and one store unlinks
 *     it before anything below it is reused.  A process that is killed in between only
 *     leaks nodes.
 * W2  Inserting a sequence that is already in the tree changes nothing.
 * W3  Nothing is inserted below a node that has or had a task (wakeup_share.h), nor below a
 *     leaf: everything there is explored anyway.  (Exceptions: a task that waits at an open
 *     choice, and a sequence that is `whole`, which extends a leaf.)  Nothing sleeps at a
 *     leaf (T2), so only as much of a sequence is added to the tree as is needed to wake
 *     all steps that sleep at the insertion point.
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
    struct hd_wakeup *child;  /* first of the steps after this one */
    struct hd_wakeup *next;   /* sibling */
    struct hd_wakeup *parent;
    struct hd_task *task;     /* task whose root the node is or was; HD_WAKEUP_DONE; NULL */
    bool free;
    bool known;               /* the step was executed, not just predicted */
    bool freely;              /* its execution chose it; it was not inserted */
    bool quiet;               /* no task is queued at this node or below (wakeup_share.h) */
    uint32_t use;             /* number of earlier uses of this memory */
};

#define HD_WAKEUP_DONE ((struct hd_task *)1) /* everything below the node is explored */

struct hd_wakeup_pool {
    struct hd_arena *arena;
    struct hd_share *share; /* source of nodes that several workers see; NULL: one worker */
    uint32_t worker;
    struct hd_wakeup *free;
    int64_t in_use;         /* negative if nodes taken by other workers were returned here */
    int64_t in_use_max;     /* maximum, for the report of memory use; includes nodes that killed
                             * workers lost */
};

struct hd_wakeup *hd_wakeup_new(struct hd_wakeup_pool *pool, struct hd_wakeup *parent,
                                const struct hd_step *step);

/* Free everything below n. */
void hd_wakeup_clear(struct hd_wakeup_pool *pool, struct hd_wakeup *n);
/* Free everything below n and mark n as done. */
void hd_wakeup_prune(struct hd_wakeup_pool *pool, struct hd_wakeup *n);
/* Remove *link and everything below it from the tree. */
void hd_wakeup_drop(struct hd_wakeup_pool *pool, struct hd_wakeup **link);

/* Is it an open choice (HD_STEP_OPEN) that was not executed yet? */
static inline bool hd_wakeup_is_open(const struct hd_wakeup *n)
{
    return n->step.flags & HD_STEP_OPEN && !n->known;
}

/* W3: will everything after n be explored anyway? */
static inline bool hd_wakeup_is_settled(const struct hd_wakeup *n)
{
    return n->child == NULL || (n->task != NULL && !hd_wakeup_is_open(n));
}

/* Find the place for a sequence: the end of the siblings *list, which are children of
 * *parent, or a place further down.  NULL if the tree covers the sequence.  todo keeps the
 * part that remains to be added. */
struct hd_wakeup **hd_wakeup_place(struct hd_wakeup_pool *pool, struct hd_wakeup **list,
                                   struct hd_wakeup **parent, struct hd_sequence *todo);

/* Create nodes for all of v below parent, without linking them there. */
struct hd_wakeup *hd_wakeup_chain(struct hd_wakeup_pool *pool, struct hd_wakeup *parent,
                                  const struct hd_step *const *v, uint32_t nv);

/* Can a choice come between the open choice n and its children? */
bool hd_wakeup_may_split(const struct hd_wakeup *n);

/* Such a choice exists, with that many alternatives: insert them below n, each followed by
 * a copy of n's children. */
void hd_wakeup_split(struct hd_wakeup_pool *pool, struct hd_wakeup *n, uint16_t alternatives);

/* Append v to the children of parent. */
void hd_wakeup_add(struct hd_wakeup_pool *pool, struct hd_wakeup *parent,
                   struct hd_wakeup **list, const struct hd_step *const *v, uint32_t nv);

#endif
