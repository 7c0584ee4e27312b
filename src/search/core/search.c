/* SPDX-License-Identifier: BSD-2-Clause
 *
 * search.c - the layer between the scheduler and the strategy.  Makes no libc and no system calls, because pick
 * runs once per visible operation of the target.
 *
 * While the prefix is replayed, search.c compares signatures instead of whole operations: one word per step is
 * cheap to store and compare, and 32 bits suffice to notice a program that does not repeat itself. */
#include "search/core/search.h"

#include "base/check.h"
#include "base/hash.h"
#include "search/core/estimate.h"

/* Prepares the arena and opens the strategy.  May be repeated, because `pass` is stored last: if a worker died
 * in here, its successor does it again. */
static bool set_up(struct hd_search *s, uint64_t pass)
{
    struct hd_arena *a = s->cfg.arena;

    s->shared = (void *)a->base;
    if (a->used != 0 && s->shared->pass != pass) {
        s->shared->pass = 0;
        if (s->cfg.wipe != NULL)
            s->cfg.wipe(a->base, a->used);
        else
            for (size_t i = 0; i < a->used; i++)
                a->base[i] = 0;
        a->used = 0;
    }
    if (a->used == 0)
        s->shared = hd_arena_alloc(a, sizeof *s->shared);
    s->self = s->shared->strategy;
    if (!hd_strategy_accepts(s->ops, s->cfg.reducer, s->cfg.params) || !s->ops->open(&s->self, &s->cfg))
        return false;
    s->shared->strategy = s->self;
    __atomic_store_n(&s->shared->pass, pass, __ATOMIC_RELEASE);
    return true;
}

static uint64_t pass_of(const struct hd_totals *t)
{
    return t->restarts + 1;
}

bool hd_search_open(struct hd_search *s, const struct hd_strategy_ops *ops,
                    const struct hd_strategy_cfg *cfg, struct hd_campaign *campaign,
                    struct hd_execution *exec)
{
    *s = (struct hd_search){
        .ops = ops,
        .cfg = *cfg,
        .campaign = campaign,
        .worker = cfg->worker,
        .nworkers = cfg->nworkers > 1 ? cfg->nworkers : 1,
        .decisions = cfg->decisions,
        .stands = cfg->stands,
        .exec = exec,
    };
    s->cfg.exec = exec;
    hd_search_compare(s, false);
    uint64_t pass = pass_of(hd_campaign_totals(campaign));

    s->shared = (void *)cfg->arena->base;
    bool later = s->nworkers > 1 && pass > 1 && s->shared->pass != pass; /* with several workers, hd_search_begin sets
                                                                          * it up (P2) */

    if (!later && !set_up(s, pass))
        return false;
    if (hd_campaign_totals(campaign)->begun == 0)
        campaign->totals[campaign->current & 1].bound = -1;
    return true;
}

/* Returns the number of points, from the start, at which the state of all threads is known from the previous
 * execution.  An execution that starts at the root has none, because the previous one may belong to another
 * pass. */
static uint32_t known_points(const struct hd_search *s, uint32_t prefix)
{
    uint32_t n = s->exec->nsteps < HD_MAX_STEPS ? s->exec->nsteps : HD_MAX_STEPS;
    uint32_t common = s->ops->repeats == HD_REPEATS_ALL ? prefix + 1 : prefix;

    if (s->ops->repeats == HD_REPEATS_NOTHING || prefix == 0)
        return 0;
    return common < n ? common : n;
}

/* Asks the strategy to begin. `running` is stored after that, because a worker that dies while it waits for
 * work has not started an execution. */
static enum hd_begin start(struct hd_search *s, const struct hd_totals *t)
{
    uint64_t index = s->cfg.first_index + t->begun * s->nworkers + s->worker;
    uint32_t prefix = s->ops->begin(s->self, &t->cursor, index);

    if (prefix == HD_NOTHING_LEFT || prefix == HD_NOTHING_YET)
        return prefix == HD_NOTHING_LEFT ? HD_BEGIN_NONE : HD_BEGIN_WAIT;
    HD_INVARIANT(prefix <= HD_MAX_STEPS, "prefix too long");
    s->prefix = prefix;
    s->mail = s->special = false;
    s->tries_first = false;
    s->skips_forced = s->ops->skips_forced;
    s->shared->trial = 0;
    for (size_t i = 0; i <= HD_FAULTS; i++)
        s->shared->chances[i].now = 0;
    s->known = known_points(s, prefix);
    s->exec->nsteps = 0;
    s->exec->preemptions = 0;
    s->exec->index = t->begun;
    __atomic_store_n(&s->shared->running, t->begun + 1, __ATOMIC_RELEASE);
    return HD_BEGIN_RUN;
}

static void reset(struct hd_execution *e)
{
    e->ending = HD_END_RUNNING;
    e->findings = 0;
    e->assumed = 0;
    e->choices = 0;
    e->loop_cuts = 0;
    e->grace_cuts = 0;
    e->only_waits = 0;
    e->facts = 0;
    e->diverged_step = 0;
}

enum hd_begin hd_search_begin(struct hd_search *s)
{
    const struct hd_totals *t = hd_campaign_totals(s->campaign);

    if (t->exhausted)
        return HD_BEGIN_NONE;
    if (s->shared->pass != pass_of(t))
        HD_INVARIANT(set_up(s, pass_of(t)), "a strategy that was opened does not open again");
    reset(s->exec);
    return start(s, t);
}

/* Decides after the last recorded decision of a repetition.  A thread in a waiting loop may have to find out
 * again that its operation only begins another round, which does not count as a step.  Any other decision means
 * that the repetition diverges. */
static hd_tid pick_none(void *self, const struct hd_point *at)
{
    (void)self;
    HD_SET_EACH(t, &at->enabled)
        if (hd_event_awaits(&at->pending[t]))
            return (hd_tid)t;
    return HD_OTHER_STEP;
}

static uint32_t choose_none(void *self, const struct hd_point *at, uint32_t n)
{
    (void)self;
    (void)at;
    (void)n;
    return HD_NO_ALTERNATIVE;
}

void hd_search_repeat(struct hd_search *s)
{
    static const struct hd_strategy_ops nothing_more = { .pick = pick_none, .choose = choose_none };

    s->ops = &nothing_more;
    s->special = s->skips_forced = false;
    s->prefix = s->known = s->exec->nsteps;
    reset(s->exec);
    s->exec->nsteps = 0;
    s->exec->preemptions = 0;
}

static __attribute__((cold, noinline)) hd_tid diverged(struct hd_search *s,
                                                       const struct hd_point *at, hd_tid wanted)
{
    hd_tid who = wanted < at->nthreads ? wanted : at->last;

    s->exec->ending = HD_END_DIVERGED;
    s->exec->diverged_step = at->step;
    s->exec->diverged_found = at->pending[who];
    return HD_NO_TID;
}

/* Returns the thread to name in the report of a divergence.  From this decision on, s->decisions still holds the
 * decisions of the previous execution, except for the changed one.  Returns the first thread whose pending operation is
 * not its next step in that execution; if there is none, a thread that makes no step there. */
static hd_tid first_other(const struct hd_search *s, const struct hd_point *at)
{
    struct hd_set seen;

    hd_set_clear(&seen);
    for (uint32_t i = at->step; i < HD_MAX_STEPS && i < at->step + HD_MAX_THREADS * 16u; i++) {
        struct hd_decision d = s->decisions[i];

        if (d.alternatives != 0 || d.sig == HD_SIG_ANY || d.chosen >= at->nthreads ||
            hd_set_has(&seen, d.chosen))
            continue;
        hd_set_add(&seen, d.chosen);
        if (d.sig != at->sigs[d.chosen])
            return d.chosen;
    }
    for (uint32_t t = 0; t < at->nthreads; t++)
        if (!hd_set_has(&seen, t) && at->pending[t].kind != HD_EV_NONE)
            return (hd_tid)t;
    return at->last;
}

__attribute__((cold, noinline)) hd_tid hd_search_diverged(struct hd_search *s,
                                                          const struct hd_point *at)
{
    return diverged(s, at, at->sigs != NULL ? first_other(s, at) : at->last);
}

__attribute__((cold)) hd_tid hd_search_cut(struct hd_search *s)
{
    s->exec->ending = s->shared->trial != 0 ? HD_END_AGAIN : HD_END_CUT;
    return HD_NO_TID;
}

/* True if the last step of the prefix, which the strategy wants to try, cannot run: by now it is known that the
 * operation would only begin another round of a waiting loop (model/awaits.h). */
static bool goes_round(const struct hd_search *s, const struct hd_point *at, hd_tid wanted)
{
    return at->step + 1 == s->prefix && wanted < at->nthreads && hd_set_has(&at->awaiting, wanted) &&
           (at->again || s->decisions[at->step].sig == HD_SIG_ANY);
}

/* Replays one decision.  This is the most frequent path, kept so small that it needs no stack frame. */
hd_tid hd_search_replay(struct hd_search *s, const struct hd_point *at)
{
    struct hd_decision d = s->decisions[at->step];

    if (HD_UNLIKELY(d.alternatives != 0))
        return diverged(s, at, at->last);
    if (HD_UNLIKELY(d.chosen >= at->nthreads || !hd_set_has(&at->enabled, d.chosen)))
        return goes_round(s, at, d.chosen) ? hd_search_cut(s) : diverged(s, at, d.chosen);
    uint32_t found = at->sigs[d.chosen];

    if (HD_UNLIKELY(s->stands[at->step] != at->stands)) { /* if they are equal, nothing needs to be stored */
        if (hd_search_differs(s, at))
            return hd_search_diverged(s, at);
        if (s->compares)
            s->stands[at->step] = at->stands;
    }
    if (HD_UNLIKELY(d.sig != found && d.sig != HD_SIG_ANY))
        return diverged(s, at, d.chosen);
    s->decisions[at->step].sig = found;
    s->exec->nsteps = at->step + 1;
    hd_search_count(s, at);
    return d.chosen;
}

uint32_t hd_search_choose(struct hd_search *s, const struct hd_point *at, uint32_t n)
{
    uint32_t chosen;

    HD_INVARIANT(n > 0 && n <= UINT16_MAX, "a choice has 1 to 65535 alternatives");
    HD_INVARIANT(at->step < HD_MAX_STEPS, "more steps than decisions can be kept");
    if (HD_UNLIKELY(hd_search_differs(s, at))) {
        hd_search_diverged(s, at);
        return HD_NO_ALTERNATIVE;
    }
    if (at->step < s->prefix) {
        const struct hd_decision *d = &s->decisions[at->step];

        if (d->alternatives != n || d->chosen >= n) {
            diverged(s, at, at->last);
            return HD_NO_ALTERNATIVE;
        }
        chosen = d->chosen;
    } else {
        chosen = s->budget != 0 ? hd_search_choose_fault(s, at, n) : s->ops->choose(s->self, at, n);
        if (chosen == HD_NO_ALTERNATIVE) {
            hd_search_cut(s);
            return chosen;
        }
        HD_INVARIANT(chosen < n, "S2");
    }
    s->budget = 0;
    hd_search_record(s, at, (uint16_t)chosen, (uint16_t)n, HD_SIG_ANY);
    s->exec->choices++;
    return chosen;
}

static uint64_t max64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void count_buggy(struct hd_totals *t, const struct hd_outcome *out)
{
    t->buggy++;
    t->buggy_at_bound++;
    if (t->first_buggy != 0)
        return;
    t->first_buggy = t->executions;
    t->bug_bound_set = 1;
    t->bug_bound = out->bound;
}

static void count_execution(struct hd_totals *t, const struct hd_execution *e,
                            const struct hd_outcome *out)
{
    t->executions++;
    t->at_bound++;
    t->by_depth += out->by_depth;
    if (e->findings > 0)
        count_buggy(t, out);
    t->too_long += e->ending == HD_END_TOO_LONG;
    t->too_long_steps += e->ending == HD_END_TOO_LONG ? e->nsteps : 0;
    t->steps_sum += e->nsteps;
    t->events_sum += e->nevents;
}

/* Adds an execution to the totals.  If it violates an assumption, it does not count, unless it had a finding
 * first.  Its loop and grace cuts count nevertheless, because other threads continued after them, and so does
 * its size, which strategies and the computation of odds use. */
static void count(struct hd_totals *t, const struct hd_execution *e, const struct hd_outcome *out)
{
    t->loop_cuts += e->loop_cuts;
    t->grace_cuts += e->grace_cuts;
    t->steps_max = max64(t->steps_max, e->nsteps);
    t->threads_max = max64(t->threads_max, e->nthreads);
    if (e->assumed > 0 && e->findings == 0 && e->ending == HD_END_CLEAN)
        t->assumed++;
    else
        count_execution(t, e, out);
}

/* Resets the counts.  Findings stay, and so does the number of the first execution that had one. */
static void forget_counts(struct hd_totals *t)
{
    t->redundant += t->executions + t->assumed;
    t->assumed = 0;
    t->executions = t->by_depth = t->buggy = t->at_bound = t->buggy_at_bound = 0;
    t->loop_cuts = t->grace_cuts = t->too_long = t->too_long_steps = 0;
    t->steps_sum = t->events_sum = 0;
}

/* Starts another pass: resets everything except the findings. */
static void begin_pass(struct hd_totals *t)
{
    t->discarded = t->begun;
    t->redundant = t->over_bound = t->assumed = 0;
    t->restarts++;
    t->cursor = (struct hd_cursor){ { 0 } };
    t->executions = t->by_depth = t->buggy = t->at_bound = t->buggy_at_bound = 0;
    t->loop_cuts = t->grace_cuts = t->too_long = t->too_long_steps = 0;
    t->estimated = t->unmodelled = t->facts = t->choices = 0;
    t->steps_max = t->steps_sum = t->events_sum = t->threads_max = t->enabled_max = 0;
    t->fallback = HD_FALLBACK_NONE;
    t->tree_max = 0;
    t->explored = t->tree_size = 0;
    t->bound = -1;
    t->exhausted = t->complete = 0;
}

void hd_search_enter_pass(struct hd_search *s, uint64_t number, uint64_t sites)
{
    uint32_t current = s->campaign->current & 1;
    const struct hd_totals *now = &s->campaign->totals[current];
    struct hd_totals *next = &s->campaign->totals[current ^ 1];

    if (now->restarts == number && now->sites == sites)
        return;
    *next = *now;
    if (now->restarts != number)
        begin_pass(next);
    HD_INVARIANT(next->restarts == number, "a pass was left out");
    next->sites = sites;
    __atomic_store_n(&s->campaign->current, current ^ 1, __ATOMIC_RELEASE);
}

static void estimate(const struct hd_search *s, struct hd_totals *t)
{
    struct hd_estimate e;
    struct hd_branch b;

    if (s->nworkers > 1) { /* the path of one worker says little about the whole search */
        if (s->ops->tell != NULL && hd_estimate_due_shared(s->exec->index))
            s->ops->tell(s->self);
        return;
    }
    if (s->ops->branch == NULL || !hd_estimate_due(s->exec->index))
        return;
    hd_estimate_start(&e);
    for (uint32_t i = 0; s->ops->branch(s->self, i, &b); i++)
        hd_estimate_branch(&e, b.all, b.explored, (double)(b.since - b.born));
    hd_estimate_leaf(&e, 1);
    t->explored = e.explored;
    t->tree_size = e.recursive;
}

static void note_chances(struct hd_search *s)
{
    for (size_t i = 0; i <= HD_FAULTS; i++)
        if (s->shared->chances[i].most < s->shared->chances[i].now)
            s->shared->chances[i].most = s->shared->chances[i].now;
}

void hd_search_end(struct hd_search *s)
{
    uint32_t current = s->campaign->current & 1;
    const struct hd_totals *now = &s->campaign->totals[current];
    struct hd_totals *next = &s->campaign->totals[current ^ 1];
    const struct hd_execution *e = s->exec;
    struct hd_outcome out = { .bound = -1 };

    /* The worker died inside begin, so the strategy is still in the state of the previous execution. */
    if (s->shared->running != now->begun + 1 && start(s, now) != HD_BEGIN_RUN)
        return;
    if (hd_search_ended_in_trial(s))
        return;
    note_chances(s);
    *next = *now;
    s->ops->end(s->self, e, &now->cursor, &next->cursor, &out);
    if (out.bound != now->bound) {
        next->at_bound = 0;
        next->buggy_at_bound = 0;
        next->explored = next->tree_size = 0;
        next->bound = out.bound;
    }
    estimate(s, next);
    next->begun++;
    next->estimated += out.estimated;
    next->unmodelled += out.unmodelled;
    next->facts |= e->facts;
    next->choices += e->choices;
    /* A diverged or cut execution did not run to its end.  One in which only waiting loops were left
     * (hd_point.only_waits) counts only if it has a finding. */
    if (out.redundant || e->ending == HD_END_DIVERGED || e->ending == HD_END_CUT ||
        (e->only_waits && e->findings == 0))
        next->redundant++;
    else
        count(next, e, &out);
    next->over_bound += out.over_bound;
    if (out.restarted)
        forget_counts(next);
    if (out.fallback != HD_FALLBACK_NONE)
        next->fallback = out.fallback;
    next->tree_max = max64(now->tree_max, out.tree_max);
    next->enabled_max = s->shared->enabled_max;
    next->trace_hash = now->trace_hash + hd_hash_mix(0, e->trace_hash);
    next->exhausted = out.exhausted;
    next->complete = out.complete;
    if (e->sites > now->sites && !hd_traits_samples(&s->ops->traits))
        begin_pass(next);
    next->sites = e->sites > now->sites ? e->sites : now->sites;
    __atomic_store_n(&s->campaign->current, current ^ 1, __ATOMIC_RELEASE);
}
