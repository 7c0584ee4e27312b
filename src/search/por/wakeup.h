/* SPDX-License-Identifier: BSD-2-Clause
 *
 * wakeup.h - the tree of steps that a search has taken and still has to take.
 *
 * The current execution is a path in it; what lies beside the path are sequences
 * to be executed later, in the order of siblings (a wakeup tree).  Siblings before
 * the one on the path are done: only the node itself is kept, since it sleeps.
 *
 * W1  A node is linked by one store when everything below it is complete, and
 *     unlinked by one store before anything below it is reused.  A process that is
 *     killed in between leaks nodes, nothing else.
 * W2  Inserting a sequence that is in the tree already changes nothing.
 * W3  Nothing is inserted below a node that has or had a task (wakeup_share.h), nor
 *     below a leaf: what lies there is explored whatever comes.  (A task that waits at an
 *     open choice is none of these.  Below a leaf all of v comes that is `whole`.)
 *     Nothing sleeps at a leaf (T2), so only that much of a sequence becomes a part of the
 *     tree as it takes to wake all that sleeps where it is added.
 * W4  A choice follows its step at once.  Whether one does is not known of a last step,
 *     which is a leaf, nor of an alternative that nobody has taken: that is an open choice
 *     (HD_STEP_OPEN), and never a leaf. */
#ifndef HD_SEARCH_POR_WAKEUP_H
#define HD_SEARCH_POR_WAKEUP_H

#include "base/arena.h"
#include "search/core/share.h"
#include "search/core/step.h"

struct hd_wakeup {
    struct hd_step step;
    struct hd_wakeup *child;  /* first of what comes behind this step */
    struct hd_wakeup *next;   /* sibling */
    struct hd_wakeup *parent;
    struct hd_task *task;     /* whose root it is or was; HD_WAKEUP_DONE; NULL */
    bool free;
    bool known;               /* the step was executed: it is no prediction */
    bool quiet;               /* no task is queued here or below (wakeup_share.h) */
    uint32_t use;             /* how often the memory was another node */
};

#define HD_WAKEUP_DONE ((struct hd_task *)1) /* all below it is explored */

struct hd_wakeup_pool {
    struct hd_arena *arena;
    struct hd_share *share; /* nodes that several workers see come from there; or NULL */
    uint32_t worker;
    struct hd_wakeup *free;
    int64_t in_use;         /* less than 0: those of other workers were put here */
    int64_t in_use_max;     /* tells how much memory the search needed; nodes that a killed
                             * worker has lost count as well */
};

struct hd_wakeup *hd_wakeup_new(struct hd_wakeup_pool *pool, struct hd_wakeup *parent,
                                const struct hd_step *step);

/* Free what lies below n. */
void hd_wakeup_clear(struct hd_wakeup_pool *pool, struct hd_wakeup *n);
/* The same, and n is done. */
void hd_wakeup_prune(struct hd_wakeup_pool *pool, struct hd_wakeup *n);
/* Take *link out of the tree, with what lies below it. */
void hd_wakeup_drop(struct hd_wakeup_pool *pool, struct hd_wakeup **link);

/* Is it an open choice (HD_STEP_OPEN) that was not executed yet? */
static inline bool hd_wakeup_is_open(const struct hd_wakeup *n)
{
    return n->step.flags & HD_STEP_OPEN && !n->known;
}

/* W3: is all that may follow n explored, whatever comes? */
static inline bool hd_wakeup_is_settled(const struct hd_wakeup *n)
{
    return n->child == NULL || (n->task != NULL && !hd_wakeup_is_open(n));
}

/* Where a sequence is to be added: at the end of the siblings *list, which are children
 * of *parent, or further down; NULL when the tree covers it.  What is left of it stays
 * in todo. */
struct hd_wakeup **hd_wakeup_place(struct hd_wakeup_pool *pool, struct hd_wakeup **list,
                                   struct hd_wakeup **parent, struct hd_sequence *todo);

/* Nodes for all of v, below parent but not linked there. */
struct hd_wakeup *hd_wakeup_chain(struct hd_wakeup_pool *pool, struct hd_wakeup *parent,
                                  const struct hd_step *const *v, uint32_t nv);

/* May a choice come between the open one n and its children? */
bool hd_wakeup_may_split(const struct hd_wakeup *n);

/* That is so, with so many alternatives: whatever it will be, the children of n follow. */
void hd_wakeup_split(struct hd_wakeup_pool *pool, struct hd_wakeup *n, uint16_t alternatives);

/* Add v to the children of parent, at the end of the list. */
void hd_wakeup_add(struct hd_wakeup_pool *pool, struct hd_wakeup *parent,
                   struct hd_wakeup **list, const struct hd_step *const *v, uint32_t nv);

#endif
