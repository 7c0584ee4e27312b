/* SPDX-License-Identifier: BSD-2-Clause
 *
 * wakeup_share.h - one wakeup tree for several workers.
 *
 * The tree lies in memory that all workers see.  A task is a node; its worker explores
 * all below the node alone, as a search without others does, and nobody else looks
 * there.  What lies above and beside the tasks is common, and changed with the share's
 * lock only.  A task is given away by splitting it: the siblings beside the path, at the
 * node nearest to the root that has any, become common, every leaf there a task, and the
 * giver goes on with what is left, below its own node there.
 *
 * Why a leaf can be explored at any time, before and while what is left of it is:
 *
 * T1  Siblings are only ever added at the end, so that what sleeps at a node, all
 *     siblings to the left, done or not, is settled when the node comes into being.
 *     A task is begun when the steps of those are known, not predicted.
 * T2  Nothing sleeps at a leaf of a wakeup tree: when v was inserted, every sibling to
 *     the left and all that slept was in conflict with something in v, and v was gone
 *     through up to its end.  (With source sets there may be sleepers, but v is only
 *     one step long.)  So a leaf's task explores everything behind it, and a sequence
 *     that leads there is covered, before or after the leaf was executed.
 * T3  A sequence that leads into a branch where tasks run or are done, but to no node
 *     that has had a task, is inserted there, as it would have been before.  For that
 *     the common nodes are kept until all left of them is done.
 * T4  Left of the node with which a giver goes on, below the node that it had before,
 *     all is done: nothing will ever be inserted below it by others.
 *
 * T5  What lies below a choice that nobody has executed yet, an open one, is shifted when
 *     another choice turns out to follow at once (hd_wakeup_split).  So it is one task,
 *     with all that is to be explored below it, and begun when all left of it is done:
 *     until then sequences are still inserted there, after that none is.
 *
 * The races of the steps of a branch with several leaves are looked for by the task of
 * its first leaf. */
#ifndef HD_SEARCH_POR_WAKEUP_SHARE_H
#define HD_SEARCH_POR_WAKEUP_SHARE_H

#include "search/por/trace.h"
#include "search/por/wakeup.h"

struct hd_wakeup_share {
    struct hd_share *share; /* NULL: alone */
    uint32_t worker;
    struct hd_wakeup_pool *pool;
    int64_t retain;   /* with more nodes than that only the leftmost task is begun */
    uint64_t leaving; /* flags that a finished task leaves */
    uint64_t missing; /* flags with which a search was not complete */
    bool deepens;     /* a pass that leaves HD_WAKEUP_PRUNED is followed by another */
    uint32_t nworkers;
    uint32_t looks;
    uint64_t in_vain; /* changes + 1 before it looked for a task and found none; 0: it did */
    struct hd_wakeup *last; /* of the task that is finished, while another is looked for */
};

/* Flags of the share, and of tasks that end. */
enum hd_wakeup_flag {
    HD_WAKEUP_NOT_ALL_SEEN = 1,
    HD_WAKEUP_CHOICES = 2, /* the program makes choices */
    HD_WAKEUP_PRUNED = 4,  /* something cost more than the share's bound */
    HD_WAKEUP_GUESSES = 8, /* some step of the program cannot be foreseen */
};

void hd_wakeup_share_open(struct hd_wakeup_share *ws, const struct hd_strategy_cfg *cfg,
                          struct hd_wakeup_pool *pool, int64_t retain);

/* The root of the common tree. */
static inline struct hd_wakeup *hd_wakeup_share_root(const struct hd_wakeup_share *ws)
{
    return ws->share->root;
}

/* Tell all workers what the program is like: HD_WAKEUP_CHOICES, HD_WAKEUP_GUESSES; is it?
 * (Does nothing when alone.) */
void hd_wakeup_share_note(struct hd_wakeup_share *ws, enum hd_wakeup_flag flag);
bool hd_wakeup_share_has(const struct hd_wakeup_share *ws, enum hd_wakeup_flag flag);

static inline bool hd_wakeup_share_has_choices(const struct hd_wakeup_share *ws)
{
    return hd_wakeup_share_has(ws, HD_WAKEUP_CHOICES);
}

/* As hd_share_next; flags are those of the finished task. */
struct hd_task *hd_wakeup_share_next(struct hd_wakeup_share *ws, uint64_t finished,
                                     uint64_t flags);

static inline struct hd_wakeup *hd_wakeup_share_node(const struct hd_task *t)
{
    return (struct hd_wakeup *)(uintptr_t)t->payload[0];
}

/* How many nodes there are from the root to the task's own, without the root. */
uint32_t hd_wakeup_share_depth(const struct hd_task *t);

/* The step of that path nearest to the root of whose node the task's is the first leaf:
 * races of the steps before it are looked for by others. */
uint32_t hd_wakeup_share_first(const struct hd_task *t);

/* With the lock: insert v right of the common node n; with source sets only the given
 * initial of v, unless a sibling is one. */
void hd_wakeup_share_insert(struct hd_wakeup_share *ws, struct hd_wakeup *n,
                            struct hd_sequence *v, const struct hd_step *initial);

/* With the lock: a thread is to be run, or an alternative tried, beside n. */
void hd_wakeup_share_want(struct hd_wakeup_share *ws, struct hd_wakeup *n,
                          const struct hd_step *step);

/* The first n nodes, up to `last`, which are common, were executed: what their steps do
 * is told, when the execution is over.  Only then do also the alternatives of the last one
 * lie below it. */
void hd_wakeup_share_learn(struct hd_wakeup_share *ws, struct hd_wakeup *last, uint32_t n,
                           const struct hd_trace *trace);

/* Give away what lies right of n, and go on with n.  Can be repeated. */
void hd_wakeup_share_give(struct hd_wakeup_share *ws, struct hd_wakeup *n);

#endif
