/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pos.c - partial-order sampling (X. Yuan, J. Yang, R. Gu, "Partial order aware
 * concurrency sampling", CAV 2018).
 *
 * Every operation that becomes enabled draws a random priority, and the enabled one with the highest priority
 * runs.  The operations that race with it (pending in another thread, on the same object, not both reads) then
 * draw again, because their order relative to the next operation is still open; all others keep their priority.
 * So no random number is spent on the order of independent operations, which does not matter, and the
 * equivalence classes are sampled more evenly than by a random walk.
 *
 * Races are determined by the access classes of the event table: two commuting updates do not race, and an
 * operation that may fail is assumed to succeed, since its outcome is not known before it runs.  Memory that
 * the step accesses besides, without a scheduling point, is ignored. */
#include "search/core/step.h"
#include "search/core/strategies.h"
#include "search/sample/draw.h"

struct pos {
    struct hd_draws draws;
    hd_tid ran;              /* thread that was picked last; HD_NO_TID: none */
    struct hd_step executed; /* the operation that it executed */
    struct hd_set drawn;     /* threads that were enabled at the last point, and so have a priority */
    uint64_t priority[HD_MAX_THREADS];
};

static bool pos_open(void **self, const struct hd_strategy_cfg *cfg)
{
    struct pos *p = hd_strategy_state(*self, cfg, sizeof *p);

    *self = p;
    p->draws.seed = cfg->seed;
    return true;
}

static uint32_t pos_begin(void *self, const struct hd_cursor *now, uint64_t index)
{
    struct pos *p = self;

    (void)now;
    p->draws.rng = hd_rng_for(p->draws.seed, index);
    p->ran = HD_NO_TID;
    hd_set_clear(&p->drawn);
    return 0;
}

/* Steps are also compared by their slots, so the thread's number serves as the slot. */
static struct hd_step step_of(const struct hd_event *pending, hd_tid t)
{
    return hd_step_make(t, pending, 1);
}

static bool is_new(const struct pos *p, const struct hd_point *at, hd_tid t)
{
    if (t == p->ran || !hd_set_has(&p->drawn, t))
        return true;
    struct hd_step s = step_of(&at->pending[t], t);

    return hd_step_conflict(&p->executed, &s);
}

static hd_tid pos_pick(void *self, const struct hd_point *at)
{
    struct pos *p = self;
    hd_tid best = HD_NO_TID;

    HD_SET_EACH(t, &at->enabled) {
        if (is_new(p, at, (hd_tid)t))
            p->priority[t] = hd_rng_next(&p->draws.rng);
        if (best == HD_NO_TID || p->priority[t] > p->priority[best])
            best = (hd_tid)t;
    }
    p->ran = best;
    p->executed = step_of(&at->pending[best], best);
    hd_set_copy(&p->drawn, &at->enabled);
    return best;
}

const struct hd_strategy_ops hd_strategy_pos = {
    .name = "pos",
    .split = HD_SPLIT_INDEX,
    .summary = "partial-order sampling: random priorities of operations, redrawn where they race",
    .traits = { .draws = HD_DRAWS_ALIKE },
    .open = pos_open,
    .begin = pos_begin,
    .pick = pos_pick,
    .choose = hd_draw_choose,
    .end = hd_draw_end,
};
