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
 * W2  Inserting a sequence that is in the tree already changes nothing. */
#ifndef HD_SEARCH_WAKEUP_H
#define HD_SEARCH_WAKEUP_H

#include "base/arena.h"
#include "search/step.h"

struct hd_wakeup {
    struct hd_step step;
    struct hd_wakeup *child; /* first of what comes behind this step */
    struct hd_wakeup *next;  /* sibling */
    bool free;
};

struct hd_wakeup_pool {
    struct hd_arena *arena;
    struct hd_wakeup *free;
    uint64_t in_use;
    uint64_t in_use_max; /* tells how much memory the search needed; nodes that a killed
                          * worker has lost count as well */
};

struct hd_wakeup *hd_wakeup_new(struct hd_wakeup_pool *pool, const struct hd_step *step);

/* Free all that lies below n, but keep the alternatives of its choice as leaves:
 * they tell which of them are done. */
void hd_wakeup_prune(struct hd_wakeup_pool *pool, struct hd_wakeup *n);

/* Does the node stand for every alternative of its step's choice? */
bool hd_wakeup_covers_choice(const struct hd_wakeup *n);

/* Add v to the siblings *list, unless a leaf there covers it.  v is used up.
 * True when something was added. */
bool hd_wakeup_insert(struct hd_wakeup_pool *pool, struct hd_wakeup **list,
                      const struct hd_step **v, uint32_t nv);

#endif
