/* SPDX-License-Identifier: BSD-2-Clause
 *
 * retry_sets.c - see retry_sets.h. */
#include "search/por/retry_sets.h"

#include "search/por/backtrack.h"

uint16_t hd_retry_next(const struct hd_retry *r, uint16_t last)
{
    for (uint16_t alt = (uint16_t)(last + 1); alt < 8; alt++)
        if (r->now >> alt & 1)
            return alt;
    return UINT16_MAX;
}

/* R2: returns the outcome with which the racer's thread reached its conflict with step e, as a bit, or HD_RETRY_ALL. */
static uint8_t recorded(const struct hd_backtrack *b, uint32_t e, const struct hd_racer *racer)
{
    uint8_t outcome = HD_RETRY_ALL;

    if (racer->step == HD_NO_STEP)
        return HD_RETRY_ALL;
    for (uint32_t i = e + 1; i < racer->step; i++) {
        const struct hd_backtrack_frame *f = &b->frame[i];
        bool transacts = f->alternatives != 0 && f->retry.transaction && f->retry.tid == racer->tid;
        bool steps = f->alternatives == 0 && f->chosen == racer->tid;

        if (outcome != HD_RETRY_ALL && (transacts || steps))
            return HD_RETRY_ALL; /* another outcome or step comes between */
        if (transacts)
            outcome = (uint8_t)(1u << f->chosen);
    }
    return outcome;
}

void hd_retry_want(struct hd_backtrack *b, uint32_t e, const struct hd_racer *racer)
{
    struct hd_backtrack_frame *f = &b->frame[e];
    struct hd_retry *r = &f->retry;
    uint8_t outcome = recorded(b, e, racer);

    if (!hd_set_has(&f->enabled, racer->tid) || hd_backtrack_asleep(b, e, racer->tid)) {
        for (uint32_t i = 0; i < r->n; i++)
            r->set[i].wanted = HD_RETRY_ALL;
        hd_backtrack_want(b, e, racer->tid);
        return;
    }
    for (uint32_t i = 0; i < r->n; i++)
        if (r->set[i].tid == racer->tid)
            r->set[i].wanted |= outcome;
    if (!hd_set_has(&f->wanted, racer->tid) && outcome != HD_RETRY_ALL && r->n < HD_RETRY_SETS) {
        r->set[r->n] = (struct hd_retry_set){ .tid = racer->tid, .wanted = outcome };
        r->n++;
    }
    hd_backtrack_want(b, e, racer->tid);
}

bool hd_retry_is_left(const struct hd_backtrack *b, uint32_t k, uint16_t *chosen, uint8_t *outcomes)
{
    const struct hd_retry *r = &b->frame[k].retry;

    for (uint32_t i = 0; i < r->n; i++) {
        const struct hd_retry_set *s = &r->set[i];

        if ((s->wanted & ~s->explored) != 0 && !hd_backtrack_asleep(b, k, s->tid)) {
            *chosen = s->tid;
            *outcomes = (uint8_t)(s->wanted & ~s->explored);
            return true;
        }
    }
    return false;
}

void hd_retry_explore(struct hd_backtrack_frame *f, uint8_t outcomes)
{
    f->retry.now = outcomes == HD_RETRY_ALL ? 0 : outcomes;
    for (uint32_t i = 0; i < f->retry.n; i++)
        if (f->retry.set[i].tid == f->chosen)
            f->retry.set[i].explored |= outcomes;
}

/* R3: returns the outcomes that the thread may choose at frame k; 0: all. */
static uint8_t outcomes_at(const struct hd_backtrack *b, uint32_t k, hd_tid tid)
{
    uint8_t found = 0;

    for (uint32_t i = k; i > 0; i--) {
        const struct hd_backtrack_frame *f = &b->frame[i - 1];

        if (f->alternatives != 0 && f->retry.transaction && f->retry.tid == tid)
            break;
        if (f->alternatives != 0 || f->chosen != tid || f->retry.now == 0)
            continue;
        if (found != 0)
            return 0;
        found = f->retry.now;
    }
    return found;
}

uint16_t hd_retry_begin_choice(struct hd_backtrack *b, uint32_t k, hd_tid tid)
{
    struct hd_backtrack_frame *f = &b->frame[k];
    uint8_t outcomes = outcomes_at(b, k, tid) & (uint8_t)((1u << f->alternatives) - 1);

    f->retry = (struct hd_retry){ .now = outcomes, .transaction = true, .tid = tid };
    if (outcomes != 0)
        f->chosen = hd_retry_next(&f->retry, UINT16_MAX);
    return f->chosen;
}
