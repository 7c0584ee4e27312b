/* SPDX-License-Identifier: BSD-2-Clause
 *
 * wakeup_share.h - one wakeup tree for several workers.
 *
 * The tree lies in shared memory.  A task is a node: its worker explores the subtree alone,
 * like a search with one worker, and no other worker reads it.  The nodes above and beside
 * the tasks are common and change only with the share's lock held.  A worker gives work
 * away by splitting its task: the siblings after the path's node nearest to the root that
 * has any become common, every leaf there becomes a task, and the worker continues below
 * its own node at that level.
 *
 * Why a leaf can be explored at any time, before or while the subtrees left of it are
 * explored:
 *
 * T1  Siblings are only appended.  So the sleep set at a node (all siblings to the left,
 *     done or not) is fixed when the node is created.  A task starts when the steps of
 *     those siblings are known, not just predicted.
 * T2  Nothing sleeps at a leaf of a wakeup tree: when v was inserted, every sibling to the
 *     left and every sleeping step conflicted with something in v, and the insertion went
 *     through all of v.  (With source sets steps may sleep there, but v is only one step
 *     long.)  So a leaf's task explores all continuations, and a sequence that leads to the
 *     leaf is covered, before or after the leaf is executed.
 * T3  A sequence that leads into a branch with running or finished tasks, but to no node
 *     that has had a task, is inserted there as usual.  Therefore common nodes are kept
 *     until everything left of them is done.
 * T4  Left of the node with which a giving worker continues, below its former task node,
 *     everything is done.  So other workers never insert anything below that node.
 * T5  The nodes below an open choice, which was never executed, move down when another
 *     choice turns out to follow directly (hd_wakeup_split).  So an open choice is one task
 *     with everything below it.  It starts when everything left of it is done: until then
 *     sequences may be inserted there, afterwards none are.
 *
 * For a branch with several leaves, the task of its first leaf analyses the races of the
 * branch's steps. */
#ifndef HD_SEARCH_POR_WAKEUP_SHARE_H
#define HD_SEARCH_POR_WAKEUP_SHARE_H

#include "search/por/trace.h"
#include "search/por/wakeup.h"

struct hd_wakeup_share {
    struct hd_share *share; /* NULL: one worker */
    uint32_t worker;
    struct hd_wakeup_pool *pool;
    int64_t retain;   /* above this number of nodes only the leftmost task may start */
    uint64_t leaving; /* flags that a finished task leaves */
    uint64_t missing; /* flags that mean that the search was not complete */
    bool deepens;     /* a pass that leaves HD_WAKEUP_PRUNED is followed by another one */
    uint32_t nworkers;
    uint32_t looks;
    uint64_t in_vain; /* value of `changes` + 1 when the worker last looked for a task and found
                       * none; 0: it found one */
    struct hd_wakeup *last; /* node of the finished task, while the worker looks for another */
};

/* Flags of the share and of finished tasks. */
enum hd_wakeup_flag {
    HD_WAKEUP_NOT_ALL_SEEN = 1,
    HD_WAKEUP_CHOICES = 2, /* the program makes choices */
    HD_WAKEUP_PRUNED = 4,  /* an alternative cost more than the share's bound */
    HD_WAKEUP_GUESSES = 8, /* some step of the program cannot be predicted */
};

void hd_wakeup_share_open(struct hd_wakeup_share *ws, const struct hd_strategy_cfg *cfg,
                          struct hd_wakeup_pool *pool, int64_t retain);

/* The root of the common tree. */
static inline struct hd_wakeup *hd_wakeup_share_root(const struct hd_wakeup_share *ws)
{
    return ws->share->root;
}

/* Tell all workers a property of the program (HD_WAKEUP_CHOICES, HD_WAKEUP_GUESSES); query
 * it.  No effect with one worker. */
void hd_wakeup_share_note(struct hd_wakeup_share *ws, enum hd_wakeup_flag flag);
bool hd_wakeup_share_has(const struct hd_wakeup_share *ws, enum hd_wakeup_flag flag);

static inline bool hd_wakeup_share_has_choices(const struct hd_wakeup_share *ws)
{
    return hd_wakeup_share_has(ws, HD_WAKEUP_CHOICES);
}

/* Like hd_share_next; flags are those of the finished task. */
struct hd_task *hd_wakeup_share_next(struct hd_wakeup_share *ws, uint64_t finished,
                                     uint64_t flags);

static inline struct hd_wakeup *hd_wakeup_share_node(const struct hd_task *t)
{
    return (struct hd_wakeup *)(uintptr_t)t->payload[0];
}

/* Number of nodes from the root to the task's node, without the root. */
uint32_t hd_wakeup_share_depth(const struct hd_task *t);

/* The depth nearest to the root at which the task's node is the first leaf below the path:
 * other tasks analyse the races of the steps before it. */
uint32_t hd_wakeup_share_first(const struct hd_task *t);

/* Insert v right of the common node n; with source sets insert only the given initial of v,
 * unless a sibling is an initial.  The caller holds the lock. */
void hd_wakeup_share_insert(struct hd_wakeup_share *ws, struct hd_wakeup *n,
                            struct hd_sequence *v, const struct hd_step *initial);

/* Insert a step (a thread or an alternative) beside n.  The caller holds the lock. */
void hd_wakeup_share_want(struct hd_wakeup_share *ws, struct hd_wakeup *n,
                          const struct hd_step *step);

/* An execution through the n common nodes up to `last` is over: publish what their steps
 * did.  Only from now on do the alternatives of the last one lie below it. */
void hd_wakeup_share_learn(struct hd_wakeup_share *ws, struct hd_wakeup *last, uint32_t n,
                           const struct hd_trace *trace);

/* Give away everything right of n and continue with n.  May be repeated. */
void hd_wakeup_share_give(struct hd_wakeup_share *ws, struct hd_wakeup *n);

#endif
