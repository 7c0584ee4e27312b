/* SPDX-License-Identifier: BSD-2-Clause
 *
 * waits.c - decisions while threads are in waiting loops (model/awaits.h).
 *
 * It may be unknown whether an operation of such a loop would only begin another round.  A strategy whose costs
 * depend on which threads could run is asked only when nothing is unknown.  Before that, each unknown operation
 * is tried, and taken back if it only begins another round.  If it does not, its outcome is recorded and the
 * execution is begun again.  That happens once for each state and value, unless the table of outcomes is full.
 * So after ATTEMPTS new beginnings, or after an execution that ended during a trial, the strategy is asked
 * anyway and sees at->nuntried. */
#include "search/core/search.h"

enum { ATTEMPTS = 1000 };

void hd_search_sees_waits(struct hd_search *s)
{
    s->tries_first = s->special = true;
    s->skips_forced = false;
}

static hd_tid ask(struct hd_search *s, const struct hd_point *at)
{
    return s->mail ? hd_search_pick_with_mail(s, at) : s->ops->pick(s->self, at);
}

static bool may_try(const struct hd_search *s)
{
    return s->shared->attempted != s->exec->index + 1 || s->shared->attempts < ATTEMPTS;
}

static void count_attempt(struct hd_search *s)
{
    struct hd_search_shared *shared = s->shared;

    shared->attempts = shared->attempted == s->exec->index + 1 ? shared->attempts + 1 : 1;
    shared->attempted = s->exec->index + 1;
}

/* The execution ended during a trial because it crashed, for example.  Without trials it reaches its real end. */
bool hd_search_ended_in_trial(struct hd_search *s)
{
    struct hd_search_shared *shared = s->shared;

    if (shared->trial == 0)
        return false;
    shared->trial = 0;
    shared->attempts = ATTEMPTS;
    shared->attempted = s->exec->index + 1;
    return true;
}

static hd_tid pick_known(struct hd_search *s, const struct hd_point *at)
{
    struct hd_point now = *at;
    bool back = at->again && s->shared->trial == at->step + 1;

    if (s->shared->trial != 0 && !back) { /* the operation that was tried has left its loop */
        count_attempt(s);
        return HD_NO_TID;
    }
    if (back)
        now.again = false; /* search.c chose the thread that is disabled now, not the strategy */
    s->shared->trial = 0;
    if (HD_LIKELY(at->nuntried == 0) || at->only_waits || !may_try(s))
        return ask(s, &now);
    HD_SET_EACH(t, &at->untried)
        if (hd_set_has(&at->enabled, t)) {
            s->shared->trial = at->step + 1;
            return (hd_tid)t;
        }
    now.nuntried = 0; /* none of these threads is enabled */
    return ask(s, &now);
}

hd_tid hd_search_pick_beside(struct hd_search *s, const struct hd_point *at)
{
    return s->tries_first ? pick_known(s, at) : ask(s, at);
}
