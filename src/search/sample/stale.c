/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stale.c - a random walk that prefers reads.
 *
 * Lock-free code fails when a thread acts on a value that other threads have changed since it was read.  In a
 * random walk a value becomes stale only by chance.  Here, with probability 7/8, a thread runs whose pending
 * operation only reads, if there is one; otherwise any enabled thread.  So threads read their values as early
 * as possible.  Most of the time all of them are about to write, and the walk decides which write comes next.
 *
 * Reads are not always preferred, because the bug may need a late read (of a value that should not be visible
 * yet).  With the remaining 1/8, every schedule of the random walk still has a probability above 0.  Safestack,
 * which needs five preemptions and stale values in three threads, fails once in about 10,000 executions, with
 * 7/8 as well as with 1 (with the random walk: once in about 180,000).
 *
 * If no operation only reads (mutexes, semaphores), this is the random walk.  An operation
 * without an object (yield) does not count as a read: it would be preferred for ever. */
#include "search/core/step.h"
#include "search/core/strategies.h"
#include "search/sample/draw.h"

#define ANY_ONE_IN 8 /* at one of this many points, reads are not preferred */

static bool only_reads(const struct hd_event *e)
{
    struct hd_access_of on[2];
    unsigned n = hd_event_accesses(e, on);

    for (unsigned i = 0; i < n; i++)
        if (on[i].access != HD_ACC_R)
            return false;
    return n > 0;
}

static struct hd_set readers(const struct hd_point *at)
{
    struct hd_set s;

    hd_set_clear(&s);
    HD_SET_EACH(t, &at->enabled)
        if (only_reads(&at->pending[t]))
            hd_set_add(&s, t);
    return s;
}

static hd_tid stale_pick(void *self, const struct hd_point *at)
{
    struct hd_draws *d = self;
    struct hd_set first = readers(at);
    bool any = hd_set_is_empty(&first) || hd_rng_below(&d->rng, ANY_ONE_IN) == 0;

    return hd_draw_member(&d->rng, any ? &at->enabled : &first, at->nthreads);
}

const struct hd_strategy_ops hd_strategy_stale = {
    .name = "stale",
    .skips_forced = true,
    .split = HD_SPLIT_INDEX,
    .summary = "random walk that prefers reads, so that threads act on stale values",
    .traits = { .draws = HD_DRAWS_ALIKE },
    .open = hd_draw_open,
    .begin = hd_draw_begin,
    .pick = stale_pick,
    .choose = hd_draw_choose,
    .end = hd_draw_end,
};
