/* SPDX-License-Identifier: BSD-2-Clause
 *
 * search.h - drives one strategy: replays the prefix, checks what it returns,
 * records decisions, keeps the totals.
 *
 * Private to a process; what must survive it is in the campaign and the
 * strategy's arena.
 *
 * A pass is a search with a fixed set of racing sites as scheduling points.  When an
 * execution has found more of them (exec->sites), what a search that claims to be
 * complete has learnt is void: the next pass begins at the root, in an arena that is
 * as at first.  A search that draws its executions just goes on.
 * P1  The totals that begin a pass are committed first; begin then finds that the
 *     arena belongs to another pass and sets it up anew, as often as it takes.
 * P2  Workers that share a space are in one pass together: whoever has committed the next
 *     one begins no execution before all have, and cfg->shared is as at first. */
#ifndef HD_SEARCH_CORE_SEARCH_H
#define HD_SEARCH_CORE_SEARCH_H

#include "model/campaign.h"
#include "search/core/count.h"
#include "search/core/strategy.h"

/* At the start of the arena: what end needs from a worker that died. */
struct hd_search_shared {
    uint64_t pass;        /* restarts + 1 of the pass for which the arena is set up; 0 none */
    void *strategy;       /* made by the first open */
    uint64_t running;     /* index + 1 of the execution for which begin is complete */
    uint32_t enabled_max; /* most threads enabled at once so far: only grows */
};

struct hd_search {
    const struct hd_strategy_ops *ops;
    struct hd_strategy_cfg cfg;
    void *self;
    struct hd_campaign *campaign;
    struct hd_search_shared *shared;
    uint32_t worker, nworkers;
    uint32_t prefix; /* decisions to replay in this execution */
    uint32_t known;  /* points from the start at which it is known how all threads stood */
    bool compares;   /* whether that can ever be (hd_search_compare) */
    struct hd_decision *decisions;
    uint32_t *stands;
    struct hd_execution *exec;
};

/* False: the strategy does not understand cfg->params.  Over an arena and a
 * campaign that were in use before, the search goes on where it was. */
bool hd_search_open(struct hd_search *s, const struct hd_strategy_ops *ops,
                    const struct hd_strategy_cfg *cfg, struct hd_campaign *campaign,
                    struct hd_execution *exec);

enum hd_begin {
    HD_BEGIN_NONE, /* nothing is left to explore */
    HD_BEGIN_RUN,
    HD_BEGIN_WAIT, /* nothing to do, but other workers may give some away: ask again soon */
};

/* Start the next execution, or the one that was cut off: resets the counts of
 * exec that the search keeps or reads. */
enum hd_begin hd_search_begin(struct hd_search *s);

/* The execution that is over, but not ended, is run again by the same decisions, of which the strategy
 * hears nothing; more of them make it diverge.  Who asks for it keeps *s and exec, and puts them back. */
void hd_search_repeat(struct hd_search *s);

/* Keep how all threads stand at each point of the next executions: because it will be repeated,
 * or the strategy compares it with the execution after it. */
static inline void hd_search_compare(struct hd_search *s, bool repeated)
{
    s->compares = repeated || s->ops->repeats != HD_REPEATS_NOTHING;
}

/* The thread to run; records the decision as exec's at->step'th.  HD_NO_TID when the
 * execution must not go on; exec->ending is then HD_END_CUT, or HD_END_DIVERGED and
 * exec->diverged_step and _found say where. */
static inline hd_tid hd_search_pick(struct hd_search *s, const struct hd_point *at);

/* Do the threads stand otherwise than when the same decisions led here before? */
static inline bool hd_search_differs(const struct hd_search *s, const struct hd_point *at)
{
    return at->step < s->known && s->stands[at->step] != at->stands &&
           s->stands[at->step] != 0 && at->stands != 0;
}

/* The parts of hd_search_pick that follow the prefix and that end an execution. */
hd_tid hd_search_diverged(struct hd_search *s, const struct hd_point *at);
hd_tid hd_search_replay(struct hd_search *s, const struct hd_point *at);
hd_tid hd_search_cut(struct hd_search *s);

/* One of n alternatives, or HD_NO_ALTERNATIVE where pick would return HD_NO_TID. */
uint32_t hd_search_choose(struct hd_search *s, const struct hd_point *at, uint32_t n);

/* With several workers: the totals are those of a pass of that number, with so many sites
 * as points, in which nothing was done yet.  Nothing is set up before the next begin. */
void hd_search_enter_pass(struct hd_search *s, uint64_t number, uint64_t sites);

/* The execution is over: let the strategy learn, commit the totals.  Also from
 * another process than the one that ran it, which may never have called begin. */
void hd_search_end(struct hd_search *s);

/* ---- inline: once per visible operation of the target ---------------------------- */

static inline void hd_search_record(struct hd_search *s, const struct hd_point *at, uint16_t chosen,
                                    uint16_t alternatives, uint32_t sig)
{
    s->decisions[at->step] = (struct hd_decision){ chosen, alternatives, sig };
    if (s->compares)
        s->stands[at->step] = at->stands;
    s->exec->nsteps = at->step + 1;
}

/* How many threads are enabled; the largest number is remembered. */
static inline uint32_t hd_search_count(struct hd_search *s, const struct hd_point *at)
{
    uint32_t n = hd_count_bits(at->enabled.w[0]);

    if (HD_UNLIKELY(at->nthreads > 64))
        n = hd_count_members(&at->enabled, at->nthreads);
    if (HD_UNLIKELY(n > s->shared->enabled_max))
        s->shared->enabled_max = n;
    return n;
}

static inline hd_tid hd_search_pick(struct hd_search *s, const struct hd_point *at)
{
    if (at->step < s->prefix)
        return hd_search_replay(s, at);
    hd_tid next;

    if (HD_UNLIKELY(at->step < s->known) && hd_search_differs(s, at))
        return hd_search_diverged(s, at);
    if (hd_search_count(s, at) == 1 && s->ops->skips_forced) {
        next = (hd_tid)hd_set_next(&at->enabled, 0);
    } else {
        next = s->ops->pick(s->self, at);
        if (HD_UNLIKELY(next == HD_NO_TID))
            return hd_search_cut(s);
        if (HD_UNLIKELY(next == HD_OTHER_STEP))
            return hd_search_diverged(s, at);
        HD_INVARIANT(hd_set_has(&at->enabled, next % HD_MAX_THREADS), "S2");
    }
    hd_search_record(s, at, next, 0, at->sigs[next]);
    return next;
}

#endif
