/* SPDX-License-Identifier: BSD-2-Clause
 *
 * waits.c - decisions while threads are in waiting loops (model/awaits.h).
 *
 * Whether an operation of such a loop would only begin another round may be unknown.  Then it is tried, and taken back if
 * it does.  What a strategy decides must not depend on what happens to be known: with several workers, or after a
 * worker was lost, execution i would be another one.
 *
 * W1  A strategy that samples (HD_BESIDE_ALL) chooses among all threads that are enabled or in a waiting loop.  If the
 *     chosen one only begins another round, no step is taken, and the strategy chooses among the others,
 *     with at->again.  So it is asked the same questions, whether that was known or has been tried.
 * W2  A strategy whose costs depend on which threads could run (HD_BESIDE_KNOWN) is asked when nothing is unknown.
 *     Before that each unknown operation is tried.  If one does not begin another round, the execution
 *     is begun again with that knowledge.  That happens once for each state and value, unless the table of
 *     outcomes is full: after ATTEMPTS the strategy is asked anyway, and sees at->nuntried.  So it is after an
 *     execution that has ended in a trial. */
#include "search/core/search.h"

enum { ATTEMPTS = 1000 };

void hd_search_sees_waits(struct hd_search *s, bool tries_first)
{
    if (!tries_first && !hd_traits_samples(&s->ops->traits))
        return;
    s->beside = tries_first ? HD_BESIDE_KNOWN : HD_BESIDE_ALL;
    s->special = true;
    s->skips_forced = false;
    s->tried = HD_NO_TID;
    hd_set_clear(&s->refused);
}

static hd_tid ask(struct hd_search *s, const struct hd_point *at)
{
    return s->mail ? hd_search_pick_with_mail(s, at) : s->ops->pick(s->self, at);
}

/* W1 */
static hd_tid pick_among_all(struct hd_search *s, const struct hd_point *at)
{
    struct hd_point all = *at;

    if (!at->again)
        hd_set_clear(&s->refused);
    else if (s->tried != HD_NO_TID)
        hd_set_add(&s->refused, s->tried);
    for (unsigned i = 0; i <= (at->nthreads - 1) / 64; i++)
        all.enabled.w[i] = at->enabled.w[i] | (at->awaiting.w[i] & ~s->refused.w[i]);
    for (;;) {
        all.last_enabled = hd_set_has(&all.enabled, at->last);
        hd_tid next = ask(s, &all);

        s->tried = next;
        if (next >= HD_MAX_THREADS || hd_set_has(&at->enabled, next))
            return next;
        hd_set_add(&s->refused, next);
        hd_set_remove(&all.enabled, next);
        all.again = true;
    }
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

/* It crashed, for example.  Without trials it comes to its end. */
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

/* W2 */
static hd_tid pick_known(struct hd_search *s, const struct hd_point *at)
{
    struct hd_point now = *at;
    bool back = at->again && s->shared->trial == at->step + 1;

    if (s->shared->trial != 0 && !back) { /* it has left its loop */
        count_attempt(s);
        return HD_NO_TID;
    }
    if (back)
        now.again = false; /* it was not the strategy's choice */
    s->shared->trial = 0;
    if (HD_LIKELY(at->nuntried == 0) || at->astray || !may_try(s))
        return ask(s, &now);
    HD_SET_EACH(t, &at->untried)
        if (hd_set_has(&at->enabled, t)) {
            s->shared->trial = at->step + 1;
            return (hd_tid)t;
        }
    now.nuntried = 0; /* they could not run anyway */
    return ask(s, &now);
}

hd_tid hd_search_pick_beside(struct hd_search *s, const struct hd_point *at)
{
    switch (s->beside) {
    case HD_BESIDE_ALL: return pick_among_all(s, at);
    case HD_BESIDE_KNOWN: return pick_known(s, at);
    default: return ask(s, at);
    }
}
