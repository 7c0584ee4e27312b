/* SPDX-License-Identifier: BSD-2-Clause
 *
 * follow.c - executes plans (model/plan.h) as far as possible.
 *
 * A replay stops at the first step that differs.  This strategy instead turns every plan into a complete
 * execution.  It skips a step whose thread is not enabled, and a choice for which the program does not ask.  It
 * answers 0 to a choice that is not in the plan.  After the end of the plan, the running thread continues.  So
 * the minimiser may propose any plan and sees which execution results.  A step that waits for its thread
 * (HD_PLAN_WAITS) is skipped only if the thread has ended.
 *
 * Users cannot select it: without a process that submits plans it would wait for ever. */
#include "search/core/strategies.h"

#include "base/check.h"
#include "search/core/stay.h"

struct follow {
    struct hd_plan *plan;
    const struct hd_decision *steps;
    const struct hd_execution *exec;
    uint32_t at;     /* next step of the plan */
    uint32_t choice; /* all choices of the plan before this step have been used */
    uint32_t first;  /* first step with HD_PLAN_WAITS; nsteps: there is none */
};

enum { CUR_ANSWERED };

static bool follow_open(void **self, const struct hd_strategy_cfg *cfg)
{
    struct follow *f = hd_strategy_state(*self, cfg, sizeof *f);

    *self = f;
    f->plan = cfg->plan;
    f->steps = cfg->recorded;
    f->exec = cfg->exec;
    return cfg->plan != NULL && cfg->params[0] == '\0';
}

static bool insists(const struct hd_decision *d)
{
    return d->alternatives == 0 && d->sig == HD_PLAN_WAITS;
}

static uint32_t follow_begin(void *self, const struct hd_cursor *now, uint64_t index)
{
    struct follow *f = self;

    (void)index;
    if (__atomic_load_n(&f->plan->asked, __ATOMIC_ACQUIRE) == now->w[CUR_ANSWERED])
        return HD_NOTHING_YET;
    HD_INVARIANT(f->plan->nsteps <= HD_MAX_STEPS, "plan too long");
    f->at = f->first = 0;
    while (f->first < f->plan->nsteps && !insists(&f->steps[f->first]))
        f->first++;
    f->choice = f->first;
    return 0;
}

static hd_tid thread_of(const struct hd_execution *x, unsigned slot, uint32_t nthreads)
{
    for (uint32_t t = 0; t < nthreads; t++)
        if (x->threads[t].slot == slot)
            return (hd_tid)t;
    return HD_NO_TID;
}

static bool has_ended(const struct follow *f, hd_tid tid)
{
    return tid != HD_NO_TID && f->exec->threads[tid].state != HD_TH_LIVE;
}

static hd_tid follow_pick(void *self, const struct hd_point *at)
{
    struct follow *f = self;

    while (f->at < f->plan->nsteps) {
        const struct hd_decision *d = &f->steps[f->at];
        hd_tid tid = d->alternatives == 0 ? thread_of(f->exec, d->chosen, at->nthreads) : HD_NO_TID;

        if (tid != HD_NO_TID && hd_set_has(&at->enabled, tid)) {
            f->at++;
            return tid;
        }
        if (insists(d) && !has_ended(f, tid))
            break;
        f->at++;
    }
    return hd_stay(at);
}

/* Returns the step of the plan that answers the current choice; nsteps: none does.  From the first step with
 * HD_PLAN_WAITS on, there may be more or fewer steps between two choices than in the plan. */
static uint32_t answer(struct follow *f)
{
    if (f->at < f->first)
        return f->steps[f->at].alternatives != 0 ? f->at++ : f->plan->nsteps;
    while (f->choice < f->plan->nsteps && f->steps[f->choice].alternatives == 0)
        f->choice++;
    return f->choice < f->plan->nsteps ? f->choice++ : f->plan->nsteps;
}

static uint32_t follow_choose(void *self, const struct hd_point *at, uint32_t n)
{
    struct follow *f = self;

    uint32_t i = answer(f);

    (void)at;
    if (i == f->plan->nsteps)
        return 0;
    return f->steps[i].chosen < n ? f->steps[i].chosen : 0;
}

static void follow_end(void *self, const struct hd_execution *done, const struct hd_cursor *now,
                       struct hd_cursor *next, struct hd_outcome *out)
{
    struct follow *f = self;

    (void)out;
    f->plan->ending = done->ending;
    f->plan->findings = done->findings;
    next->w[CUR_ANSWERED] = now->w[CUR_ANSWERED] + 1;
}

const struct hd_strategy_ops hd_strategy_follow = {
    .name = "follow",
    .summary = "execute plans on request, as far as possible",
    .traits = { .recorded = true },
    .open = follow_open,
    .begin = follow_begin,
    .pick = follow_pick,
    .choose = follow_choose,
    .end = follow_end,
};
