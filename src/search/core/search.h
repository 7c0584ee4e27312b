/* SPDX-License-Identifier: BSD-2-Clause
 *
 * search.h - drives one strategy: replays the prefix, checks the strategy's answers,
 * records decisions, keeps the totals.
 *
 * The struct is private to a process.  State that must survive the process is in the
 * campaign and in the strategy's arena.
 *
 * A pass is a search with a fixed set of racing sites as scheduling points.  When an
 * execution finds more racing sites (exec->sites), an exhaustive search cannot claim
 * anything about the old set, so it starts another pass at the root, with a reset arena.
 * A sampling search just continues.
 * P1  The totals with which a pass begins are committed first.  hd_search_begin then notices
 *     that the arena belongs to another pass and sets it up again, as often as necessary.
 * P2  Workers that share a search begin a pass together: a worker that has committed the next pass begins no
 *     execution until all workers have done so and cfg->shared has been reset. */
#ifndef HD_SEARCH_CORE_SEARCH_H
#define HD_SEARCH_CORE_SEARCH_H

#include "model/campaign.h"
#include "model/fault.h"
#include "search/core/count.h"
#include "search/core/strategy.h"

/* How often executions have had the choice whether a message is lost, or arrives twice or late. */
struct hd_chances {
    uint32_t now;  /* in this execution, so far */
    uint32_t most; /* in any execution before it */
};

/* The beginning of the arena: the state that hd_search_end needs if the worker has died. */
struct hd_search_shared {
    uint64_t pass;        /* 1 + the number of restarts before the pass for which the arena is set up; 0: it is
                           * not */
    void *strategy;       /* created by the first open */
    uint64_t running;     /* 1 + the index of the execution for which begin has returned */
    uint32_t enabled_max; /* largest number of threads enabled at once so far; only grows */
    uint32_t attempts;    /* how often execution number `attempted` - 1 was begun again because of a trial
                           * (waits.c) */
    uint64_t attempted;
    uint32_t trial;       /* 1 + the step that is tried before the strategy is asked; 0: none */
    struct hd_chances chances[HD_FAULTS + 1]; /* by fault; the last one: faults without a budget of their own */
};

struct hd_search {
    const struct hd_strategy_ops *ops;
    struct hd_strategy_cfg cfg;
    void *self;
    struct hd_campaign *campaign;
    struct hd_search_shared *shared;
    uint32_t worker, nworkers;
    uint32_t prefix; /* number of decisions to replay in this execution */
    uint32_t known;  /* number of points, from the start, at which the state of all threads is known; at most
                      * prefix + 1 */
    bool compares;   /* the state of all threads at each point is recorded and compared (hd_search_compare) */
    bool mail;       /* a sampling strategy runs a program that sends messages (messages.c) */
    bool tries_first; /* the strategy is asked only when it is known, for every thread, whether it waits
                       * (waits.c) */
    bool special;    /* `mail` or `tries_first` */
    uint32_t fault, budget; /* set by hd_search_asks_fault; budget 0: the next choice is no such fault */
    bool skips_forced; /* the strategy is not asked when only one thread is enabled */
    struct hd_decision *decisions;
    uint32_t *stands;
    struct hd_execution *exec;
};

/* Returns false if the strategy does not understand cfg->params.  If the arena and the campaign were used
 * before, the search continues where it stopped. */
bool hd_search_open(struct hd_search *s, const struct hd_strategy_ops *ops,
                    const struct hd_strategy_cfg *cfg, struct hd_campaign *campaign,
                    struct hd_execution *exec);

enum hd_begin {
    HD_BEGIN_NONE, /* nothing is left to explore */
    HD_BEGIN_RUN,
    HD_BEGIN_WAIT, /* no work now, but other workers may give some away: ask again soon */
};

/* Starts the next execution, or the interrupted one again.  Resets those counters of exec that the search keeps
 * or reads. */
enum hd_begin hd_search_begin(struct hd_search *s);

/* Replays the execution that has just run (before hd_search_end), with the same decisions.  The strategy is not
 * involved; a decision beyond the recorded ones makes the replay diverge.  The caller saves *s and exec before
 * and restores them afterwards. */
void hd_search_repeat(struct hd_search *s);

/* Decides whether the state of all threads at each point of the next executions is recorded.  That is needed if
 * an execution will be repeated, or if the strategy compares it with the next one. */
static inline void hd_search_compare(struct hd_search *s, bool repeated)
{
    s->compares = repeated || s->ops->repeats != HD_REPEATS_NOTHING;
}

/* Returns the thread to run and records decision at->step of exec.  Returns HD_NO_TID if
 * the execution must stop: exec->ending is then HD_END_CUT, or HD_END_DIVERGED with
 * exec->diverged_step and _found. */
static inline hd_tid hd_search_pick(struct hd_search *s, const struct hd_point *at);

/* True if the state of the threads differs from the one to which the same decisions led before. */
static inline bool hd_search_differs(const struct hd_search *s, const struct hd_point *at)
{
    return at->step < s->known && s->stands[at->step] != at->stands &&
           s->stands[at->step] != 0 && at->stands != 0;
}

/* The parts of hd_search_pick that are not inlined. */
hd_tid hd_search_diverged(struct hd_search *s, const struct hd_point *at);
hd_tid hd_search_replay(struct hd_search *s, const struct hd_point *at);
hd_tid hd_search_cut(struct hd_search *s);
hd_tid hd_search_pick_with_mail(struct hd_search *s, const struct hd_point *at);
hd_tid hd_search_pick_beside(struct hd_search *s, const struct hd_point *at);

/* Call when the running execution uses <heddle/mail.h>. */
static inline void hd_search_sees_mail(struct hd_search *s)
{
    s->mail = hd_traits_samples(&s->ops->traits) && !s->ops->measures;
    s->special |= s->mail;
}

/* Call when the running execution, which has just begun, may have threads in waiting loops, and the strategy
 * has the trait tries_first. */
void hd_search_sees_waits(struct hd_search *s);

/* True if the execution has ended in a step that it took only to learn its outcome.  It must be begun again. */
bool hd_search_ended_in_trial(struct hd_search *s);

/* The next choice is whether a fault happens to a message; `fault` is its bit number, or HD_FAULTS if it has no
 * budget of its own, and `budget` the number of such faults that may happen in an execution. */
static inline void hd_search_asks_fault(struct hd_search *s, uint32_t fault, uint32_t budget)
{
    s->fault = fault;
    s->budget = s->mail ? budget : 0;
}
uint32_t hd_search_choose_fault(struct hd_search *s, const struct hd_point *at, uint32_t n);

/* Returns one of n alternatives, or HD_NO_ALTERNATIVE where pick would return HD_NO_TID. */
uint32_t hd_search_choose(struct hd_search *s, const struct hd_point *at, uint32_t n);

/* With several workers: sets the totals to the start of pass `number`, with `sites` racing sites.  The next
 * hd_search_begin sets up the arena. */
void hd_search_enter_pass(struct hd_search *s, uint64_t number, uint64_t sites);

/* Calls the strategy's end and commits the totals.  Call when the execution is over.  May run in a process
 * other than that of the execution, even if that process died inside begin. */
void hd_search_end(struct hd_search *s);

/* ---- inline functions, called once per visible operation of the target ---- */

static inline void hd_search_record(struct hd_search *s, const struct hd_point *at, uint16_t chosen,
                                    uint16_t alternatives, uint32_t sig)
{
    _Static_assert(offsetof(struct hd_decision, chosen) == 0 && offsetof(struct hd_decision, alternatives) == 2 &&
                       sizeof(struct hd_decision) == 8, "a decision is one word");
    uint64_t word = chosen | (uint32_t)alternatives << 16 | (uint64_t)sig << 32;

    __builtin_memcpy(&s->decisions[at->step], &word, sizeof word);
    if (s->compares)
        s->stands[at->step] = at->stands;
    s->exec->nsteps = at->step + 1;
}

/* Returns the number of enabled threads, and updates the maximum. */
static inline uint32_t hd_search_count(struct hd_search *s, const struct hd_point *at)
{
    uint32_t n = hd_count_bits(at->enabled.w[0]);

    if (HD_UNLIKELY(at->nthreads > 64))
        n = hd_count_members(&at->enabled, at->nthreads);
    if (HD_UNLIKELY(n > s->shared->enabled_max))
        s->shared->enabled_max = n;
    return n;
}

static inline __attribute__((always_inline)) hd_tid hd_search_pick(struct hd_search *s, const struct hd_point *at)
{
    if (at->step <= s->prefix) { /* beyond this no point is known, since known <= prefix + 1 */
        if (at->step < s->prefix)
            return hd_search_replay(s, at);
        if (HD_UNLIKELY(hd_search_differs(s, at)))
            return hd_search_diverged(s, at);
    }
    hd_tid next;

    if (hd_search_count(s, at) == 1 && s->skips_forced) {
        next = (hd_tid)hd_set_next(&at->enabled, 0);
    } else {
        next = HD_UNLIKELY(s->special) ? hd_search_pick_beside(s, at) : s->ops->pick(s->self, at);
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
