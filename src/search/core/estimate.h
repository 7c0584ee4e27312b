/* SPDX-License-Identifier: BSD-2-Clause
 *
 * estimate.h - estimates the progress of an exhaustive search from its current path.
 *
 * At each branching point of its path, a depth-first search knows how many branches there
 * are and how many it has finished.  Two estimates follow (B. Blum, "Practical concurrency
 * testing", 2018, 3.4.3; the weighted one is by P. Kilby, J. Slaney, S. Thiebaux, T.
 * Walsh, "Estimating search tree size", 2006):
 *
 *   weighted   every branch of a point has the same weight, whatever the size of its subtree; the weights of
 *              the finished branches add up to the explored part
 *   recursive  an unexplored branch is as large as the average of its siblings
 *
 * The weighted estimate tends to be too small and changes slowly; the recursive one
 * fluctuates.  The number of branches need not be final: when a reduction adds a branch,
 * the next estimate takes it into account.
 *
 * Each estimate walks along the whole path and keeps no state.  The search makes one after every execution at
 * first and later only at intervals (hd_estimate_due), which is cheaper than keeping sums up to date.
 *
 * With several workers there is only the weighted estimate of the whole search.  It is computed from the weights of
 * the workers' tasks and from the part of its task that each worker has explored (share.h, explored).  The recursive
 * estimate would need the sizes of branches that other workers have explored, which are not stored. */
#ifndef HD_SEARCH_CORE_ESTIMATE_H
#define HD_SEARCH_CORE_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

struct hd_estimate {
    double explored;  /* explored part of the tree, 0 to 1 (weighted) */
    double recursive; /* estimated size of the tree (recursive) */

    double share;     /* private: weight of the subtree below the point reached so far */
    double scale;     /* private: recursive = scale * (size of that subtree) + fixed */
    double fixed;
};

/* Starts at the root. */
void hd_estimate_start(struct hd_estimate *e);

/* Adds the next point on the path.  It has `all` branches, of which `explored` are finished and contain `size`
 * executions; the path takes the next one. */
void hd_estimate_branch(struct hd_estimate *e, uint32_t all, uint32_t explored, double size);

/* Adds the end of the path, a subtree of `size` executions. */
void hd_estimate_leaf(struct hd_estimate *e, double size);

/* True if the search should make an estimate after execution `index`. */
static inline bool hd_estimate_due(uint64_t index)
{
    return index < 64 || index % 64 == 0;
}

/* Like hd_estimate_due, for several workers: an estimate then covers more than the path of one worker, so it is made
 * less often. */
static inline bool hd_estimate_due_shared(uint64_t index)
{
    return index < 8 || index % 128 == 0;
}

#endif
