/* SPDX-License-Identifier: BSD-2-Clause
 *
 * estimate.h - how far an exhaustive search is, from the path that it stands on.
 *
 * A depth-first search of a tree knows at each branching point of its path how many
 * branches there are and how many it has left behind.  Two estimates follow
 * (B. Blum, "Practical concurrency testing", 2018, 3.4.3; the weighted one is by
 * P. Kilby, J. Slaney, S. Thiebaux, T. Walsh, "Estimating search tree size", 2006):
 *
 *   weighted   a branch is worth its share of the point it hangs on, whatever lies
 *              behind it; the sum of what is left behind is the part explored
 *   recursive  branches to come are as large as the average of their siblings
 *
 * The first tends to be too small and changes slowly; the second swings.  Neither
 * needs the number of branches to be final: where a reduction finds another one, the
 * next path simply says so.
 *
 * Nothing is remembered between two estimates: one costs a walk along the path.  It is
 * made after every execution at first and then now and then (hd_estimate_due), which
 * is cheaper than to keep sums up to date, and enough for people who wait. */
#ifndef HD_SEARCH_CORE_ESTIMATE_H
#define HD_SEARCH_CORE_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

struct hd_estimate {
    double explored;  /* part of the tree, 0 to 1 (weighted) */
    double recursive; /* size of the tree */

    double share;     /* private: of the tree, what lies behind the path so far; ... */
    double scale;     /* ... recursive = scale * (size of that) + fixed */
    double fixed;
};

/* At the root. */
void hd_estimate_start(struct hd_estimate *e);

/* The next point on the path: of all its branches, so many are explored, with so many
 * executions in them; the path goes through the one after these. */
void hd_estimate_branch(struct hd_estimate *e, uint32_t all, uint32_t explored, double size);

/* The end of the path, which was executed. */
void hd_estimate_leaf(struct hd_estimate *e, double size);

/* Is an estimate wanted after execution `index`? */
static inline bool hd_estimate_due(uint64_t index)
{
    return index < 64 || index % 64 == 0;
}

#endif
