/* SPDX-License-Identifier: BSD-2-Clause
 *
 * replay.c - replays one recorded schedule.  search.c verifies each step.  After the end of
 * the record the running thread continues until it blocks or yields, then the oldest
 * enabled thread runs.  So a schedule that was cut after its last relevant decision still
 * determines one execution. */
#include "search/core/strategies.h"

#include <string.h>

#include "base/check.h"
#include "search/core/stay.h"

struct replay {
    struct hd_decision *decisions;
    const struct hd_decision *recorded;
    uint32_t nrecorded;
};

static bool replay_open(void **self, const struct hd_strategy_cfg *cfg)
{
    struct replay *r = hd_strategy_state(*self, cfg, sizeof *r);

    HD_INVARIANT(cfg->nrecorded <= HD_MAX_STEPS, "recorded schedule too long");
    *self = r;
    r->decisions = cfg->decisions;
    r->recorded = cfg->recorded;
    r->nrecorded = cfg->nrecorded;
    return true;
}

static uint32_t replay_begin(void *self, const struct hd_cursor *now, uint64_t index)
{
    struct replay *r = self;

    (void)now;
    (void)index;
    if (r->nrecorded > 0)
        memcpy(r->decisions, r->recorded, r->nrecorded * sizeof *r->recorded);
    return r->nrecorded;
}

static hd_tid replay_pick(void *self, const struct hd_point *at)
{
    (void)self;
    return hd_stay(at);
}

static uint32_t replay_choose(void *self, const struct hd_point *at, uint32_t n)
{
    (void)self;
    (void)at;
    (void)n;
    return 0;
}

static void replay_end(void *self, const struct hd_execution *done, const struct hd_cursor *now,
                       struct hd_cursor *next, struct hd_outcome *out)
{
    (void)self;
    (void)done;
    (void)now;
    (void)next;
    out->exhausted = true;
}

const struct hd_strategy_ops hd_strategy_replay = {
    .name = "replay",
    .summary = "run one recorded schedule again, verifying every step",
    .traits = { .recorded = true },
    .open = replay_open,
    .begin = replay_begin,
    .pick = replay_pick,
    .choose = replay_choose,
    .end = replay_end,
};
