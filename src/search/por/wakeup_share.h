/* SPDX-License-Identifier: BSD-2-Clause
 *
 * wakeup_share.h - one wakeup tree for several workers.
 *
 * The tree lies in shared memory.  A task is a node: its worker explores the subtree alone, like a search with
 * one worker, and no other worker reads it.  The nodes above and beside the tasks are common: all workers read
 * them, and they change only with the share's lock held.  A worker gives work away by splitting its task.  It
 * takes the node of its path that is nearest to the root and has siblings after it.  These siblings become
 * common, every leaf below them becomes a task, and the worker continues below its own node.
 *
 * Why a leaf can be explored at any time, before or while the subtrees left of it are
 * explored:
 *
 * T1  Siblings are only appended.  So the sleep set at a node (all siblings to the left, done or not) is fixed
 *     when the node is created.  A task starts only when those siblings have been executed, so that their steps
 *     are known and not just predicted.
 * T2  Nothing sleeps at a leaf of a wakeup tree: when a sequence v was inserted, every sibling to the left and
 *     every sleeping step conflicted with some step of v, and the insertion compared all of v. (With source
 *     sets steps may sleep at a leaf, but there v is only one step long.) So the task of a leaf explores all
 *     continuations, and a sequence that leads to the leaf is covered, whether or not the leaf has been
 *     executed yet.
 * T3  A sequence that leads into a branch with running or finished tasks, but to no node
 *     that has had a task, is inserted there as usual.  Therefore common nodes are kept
 *     until everything left of them is done.
 * T4  When a worker gives work away, everything below its former task node and left of the node with which it
 *     continues is done.  So other workers never insert anything below that node.
 * T5  The nodes below an open choice, which was never executed, move down when another choice turns out to
 *     follow directly (hd_wakeup_split).  So an open choice and everything below it are one task.  The task
 *     starts when everything left of it is done; until then sequences may be inserted below the choice,
 *     afterwards not.
 *
 * T6  A machine that explores a part of the search (share.h, H4) has the nodes on the path to the part's root and their
 *     siblings, which T1 needs.  If a race must be reversed at one of these nodes, the machine does not execute the
 *     step but names it in the result of the part.
 *
 * For a branch with several leaves, the task of its first leaf analyses the races of the
 * branch's steps. */
#ifndef HD_SEARCH_POR_WAKEUP_SHARE_H
#define HD_SEARCH_POR_WAKEUP_SHARE_H

#include "search/por/trace.h"
#include "search/por/wakeup.h"

struct hd_wakeup_share {
    struct hd_share *share; /* NULL: there is only one worker */
    uint32_t worker;
    struct hd_wakeup_pool *pool;
    int64_t retain;   /* if the tree has more nodes than this, only the leftmost task may start */
    uint64_t leaving; /* flags of the task that the worker has just finished */
    uint64_t missing; /* flags that say that the search is not complete */
    bool deepens;     /* if a pass leaves HD_WAKEUP_PRUNED, another pass follows */
    uint32_t nworkers;
    uint32_t looks;
    uint64_t in_vain; /* 1 + the value of `changes` when the worker last looked for a task and found none; 0: it
                       * found one */
    struct hd_wakeup *last; /* node of the task just finished, while the worker looks for another one */
};

/* Flags of the share and of finished tasks. */
enum hd_wakeup_flag {
    HD_WAKEUP_NOT_ALL_SEEN = 1,
    HD_WAKEUP_CHOICES = 2, /* the program makes choices */
    HD_WAKEUP_PRUNED = 4,  /* a branch exceeded the share's bound */
    HD_WAKEUP_GUESSES = 8, /* some step of the program cannot be predicted */
};

void hd_wakeup_share_open(struct hd_wakeup_share *ws, const struct hd_strategy_cfg *cfg,
                          struct hd_wakeup_pool *pool, int64_t retain);

/* Returns the root of the common tree. */
static inline struct hd_wakeup *hd_wakeup_share_root(const struct hd_wakeup_share *ws)
{
    return ws->share->root;
}

/* hd_wakeup_share_note tells all workers a property of the program (HD_WAKEUP_CHOICES, HD_WAKEUP_GUESSES);
 * hd_wakeup_share_has asks for it.  No effect with one worker. */
void hd_wakeup_share_note(struct hd_wakeup_share *ws, enum hd_wakeup_flag flag);
bool hd_wakeup_share_has(const struct hd_wakeup_share *ws, enum hd_wakeup_flag flag);

static inline bool hd_wakeup_share_has_choices(const struct hd_wakeup_share *ws)
{
    return hd_wakeup_share_has(ws, HD_WAKEUP_CHOICES);
}

/* For the tool: makes the node of a part of the search a task.  The caller holds the lock. */
void hd_wakeup_share_plant(struct hd_share *sh, struct hd_wakeup *n);

/* Like hd_share_next; flags are those of the finished task. */
struct hd_task *hd_wakeup_share_next(struct hd_wakeup_share *ws, uint64_t finished,
                                     uint64_t flags);

static inline struct hd_wakeup *hd_wakeup_share_node(const struct hd_task *t)
{
    return (struct hd_wakeup *)(uintptr_t)t->payload[0];
}

/* Returns the number of nodes from the root to the task's node, not counting the root. */
uint32_t hd_wakeup_share_depth(const struct hd_task *t);

/* Returns the smallest depth at which the task's node is the first leaf below the path.  Other tasks analyse
 * the races of the steps before that depth. */
uint32_t hd_wakeup_share_first(const struct hd_task *t);

/* Inserts v right of the common node n.  With source sets (`initial` is not NULL) inserts only that step,
 * unless a sibling is an initial of v.  The caller holds the lock. */
void hd_wakeup_share_insert(struct hd_wakeup_share *ws, struct hd_wakeup *n,
                            struct hd_sequence *v, const struct hd_step *initial);

/* Inserts a step (a thread or an alternative) right of n.  The caller holds the lock. */
void hd_wakeup_share_want(struct hd_wakeup_share *ws, struct hd_wakeup *n,
                          const struct hd_step *step);

/* Call when an execution through the n common nodes up to `last` is over: publishes the accesses of their
 * steps.  From now on the alternatives of the choice after `last`, if there is one, are below it. */
void hd_wakeup_share_learn(struct hd_wakeup_share *ws, struct hd_wakeup *last, uint32_t n,
                           const struct hd_trace *trace);

/* Stores the part of its task (0 to 1) that this worker has explored, and how much of the whole tree is explored
 * then.  The children of a node share its weight equally (core/estimate.h). */
void hd_wakeup_share_tell(struct hd_wakeup_share *ws, double part);

/* Gives away everything right of n, and continues with n.  May be repeated. */
void hd_wakeup_share_give(struct hd_wakeup_share *ws, struct hd_wakeup *n);

#endif
