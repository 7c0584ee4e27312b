/* SPDX-License-Identifier: BSD-2-Clause
 *
 * messages.c - how sampling strategies treat programs that pass messages (<heddle/mail.h>).
 *
 * Receiving a message, and creating or starting a thread, commute with everything that other threads can do.
 * When such an operation is enabled, it runs at once without asking the strategy.  So the strategy decides only
 * about sends, whose order matters.
 *
 * Each injected failure (MAIL_STRIKE) is the operation of a thread of its own.  If that thread were drawn like
 * any other, failures would mostly come early.  So the step of the failure is drawn uniformly over the length
 * of the longest execution so far, and until then the thread counts as disabled.
 *
 * Whether a message is lost, or arrives twice or late, is a choice at each message.  If each choice were drawn by
 * itself, these faults would mostly come early, too.  So it is drawn which of the choices are faults, uniformly over as
 * many as an execution has had so far. */
#include "base/hash.h"
#include "search/core/search.h"

static bool commutes(const struct hd_event *e)
{
    return (e->kind == HD_EV_MAIL_RECEIVE && e->obj2 == 0) || e->kind == HD_EV_THREAD_START ||
           e->kind == HD_EV_THREAD_CREATE;
}

/* The beginning of a sequence of random numbers, determined by the seed, the execution and `what`. */
static uint64_t draw(const struct hd_search *s, uint32_t what)
{
    uint64_t index = s->cfg.first_index + s->exec->index * s->nworkers + s->worker;

    return hd_hash_mix(hd_hash_mix(s->cfg.seed, index), what);
}

/* True if the thread's failure must still wait.  The seed, the execution and the thread determine its step;
 * later failures of the same thread are not delayed. */
static bool is_too_early(const struct hd_search *s, const struct hd_point *at, hd_tid tid)
{
    uint64_t longest = hd_campaign_totals(s->campaign)->steps_max;

    return at->step < draw(s, tid) % (longest + 1);
}

/* Each fault that the budget allows happens in every other execution.  The first execution asks the strategy. */
uint32_t hd_search_choose_fault(struct hd_search *s, const struct hd_point *at, uint32_t n)
{
    struct hd_chances *c = &s->shared->chances[s->fault];
    uint64_t number = c->now++, drawn = draw(s, HD_MAX_THREADS + s->fault);

    if (c->most == 0)
        return s->ops->choose(s->self, at, n);
    for (uint32_t i = 0; i < s->budget; i++) {
        drawn = hd_hash_mix(drawn, i);
        if (drawn % 2 == 0 && drawn / 2 % c->most == number)
            return HD_FAULT_TAKEN;
    }
    return 0;
}

hd_tid hd_search_pick_with_mail(struct hd_search *s, const struct hd_point *at)
{
    struct hd_point reduced = *at;

    HD_SET_EACH(t, &at->enabled) {
        const struct hd_event *e = &at->pending[t];

        if (commutes(e))
            return (hd_tid)t;
        if (e->kind == HD_EV_MAIL_STRIKE && is_too_early(s, at, (hd_tid)t))
            hd_set_remove(&reduced.enabled, t);
    }
    return s->ops->pick(s->self, hd_set_is_empty(&reduced.enabled) ? at : &reduced);
}
