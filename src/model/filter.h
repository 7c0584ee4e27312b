/* SPDX-License-Identifier: BSD-2-Clause
 *
 * filter.h - --within F and --without F: in which calls of the program there are scheduling
 * points.  The last filter that names a function anywhere on the call stack decides.  If no
 * filter matches, an operation or access is a scheduling point unless there is a --within,
 * because naming what is wanted excludes the rest.  An operation that is left out counts as one whose
 * class is (model/point_class.h): a thread goes on there without a decision unless it has to wait. */
#ifndef HD_MODEL_FILTER_H
#define HD_MODEL_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#define HD_MAX_FILTERS 32
#define HD_MAX_FILTER_RANGES 256

/* Code range of a function that a filter names; a name may match several. */
struct hd_filter_range {
    uint64_t lo, hi;
    uint32_t filter; /* number of the filter, in the order of the command line */
};

struct hd_filters {
    uint32_t n;
    uint32_t nranges;
    uint8_t within[HD_MAX_FILTERS]; /* 1 --within, 0 --without */
    struct hd_filter_range ranges[HD_MAX_FILTER_RANGES];
};

/* The last filter so far that names a function on the stack; -1: none.  To be called for
 * one code address of each frame, in any order, starting with -1. */
static inline int hd_filter_match(const struct hd_filters *f, uint64_t pc, int best)
{
    for (uint32_t i = 0; i < f->nranges; i++)
        if ((int)f->ranges[i].filter > best && pc >= f->ranges[i].lo && pc < f->ranges[i].hi)
            best = (int)f->ranges[i].filter;
    return best;
}

/* Is an operation a scheduling point if this was the last match on its stack? */
static inline bool hd_filter_accepts(const struct hd_filters *f, int best)
{
    if (best >= 0)
        return f->within[best] != 0;
    for (uint32_t i = 0; i < f->n; i++)
        if (f->within[i])
            return false;
    return true;
}

#endif
