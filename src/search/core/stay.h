/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stay.h - the default schedule: the running thread continues until it blocks, then the
 * oldest enabled thread runs.  Deterministic and without preemptions. */
#ifndef HD_SEARCH_CORE_STAY_H
#define HD_SEARCH_CORE_STAY_H

#include "model/point.h"

/* Returns the enabled threads that have not yielded; all enabled threads if all have yielded. */
static inline struct hd_set hd_eager(const struct hd_point *at)
{
    struct hd_set eager = hd_set_minus(&at->enabled, &at->yielded);

    return hd_set_is_empty(&eager) ? at->enabled : eager;
}

static inline hd_tid hd_stay(const struct hd_point *at)
{
    struct hd_set eager = hd_eager(at);

    if (hd_set_has(&eager, at->last))
        return at->last;
    return (hd_tid)hd_set_next(&eager, 0);
}

#endif
