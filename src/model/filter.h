/* SPDX-License-Identifier: BSD-2-Clause
 *
 * filter.h - the options --within F and --without F, which restrict scheduling points to certain calls of the
 * program.  If several filters name functions on the call stack, the last filter decides.  If no filter matches, an
 * operation or access is a scheduling point, unless there is a --within, because naming what is wanted excludes
 * the rest.  An operation that a filter excludes is treated like one whose class is excluded
 * (model/point_class.h): the thread continues there without a decision, unless it has to wait. */
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

/* Returns the last filter that names a function on the stack; -1: none.  Call for one code address of each
 * frame, in any order; `best` is -1 at first, then the previous result. */
static inline int hd_filter_match(const struct hd_filters *f, uint64_t pc, int best)
{
    for (uint32_t i = 0; i < f->nranges; i++)
        if ((int)f->ranges[i].filter > best && pc >= f->ranges[i].lo && pc < f->ranges[i].hi)
            best = (int)f->ranges[i].filter;
    return best;
}

/* True if an operation is a scheduling point, where `best` is the result of hd_filter_match for its stack. */
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
