/* SPDX-License-Identifier: BSD-2-Clause
 *
 * messages.c - how strategies that sample treat programs that pass messages (<heddle/mail.h>).
 *
 * A receive, and the start and creation of a thread, commute with everything that other threads can do: when one is enabled
 * it runs at once, and is no step that the strategy draws.  So its steps are the sends, which matter.
 *
 * A failure (MAIL_STRIKE) has a thread of its own, and would come early if that were drawn like any other.  Its moment is
 * drawn uniformly over the steps of the longest execution so far; before, the thread counts as disabled. */
#include "base/hash.h"
#include "search/core/search.h"

static bool commutes(const struct hd_event *e)
{
    return (e->kind == HD_EV_MAIL_RECEIVE && e->obj2 == 0) || e->kind == HD_EV_THREAD_START ||
           e->kind == HD_EV_THREAD_CREATE;
}

/* The n-th failure of a thread has another moment than the one before, and not an earlier one. */
static bool is_too_early(const struct hd_search *s, const struct hd_point *at, hd_tid tid)
{
    uint64_t longest = hd_campaign_totals(s->campaign)->steps_max;
    uint64_t drawn = hd_hash_mix(hd_hash_mix(s->cfg.seed, s->exec->index * s->nworkers + s->worker), tid);

    return at->step < drawn % (longest + 1);
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
