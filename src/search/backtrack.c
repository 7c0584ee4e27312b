/* SPDX-License-Identifier: BSD-2-Clause
 *
 * backtrack.c - frames with backtrack sets.  Pure memory: no libc. */
#include "search/backtrack.h"

#include <stdatomic.h>

void hd_backtrack_open(struct hd_backtrack *b, const struct hd_strategy_cfg *cfg)
{
    b->decisions = cfg->decisions;
    hd_path_init(&b->path, cfg->exec, cfg->arena);
    hd_conflicts_init(&b->races, &b->path.trace, cfg->arena);
    hd_reversal_init(&b->reversal, &b->path.trace, cfg->arena);
    if (b->frame == NULL)
        b->frame = hd_arena_alloc(cfg->arena, HD_TRACE_STEPS * sizeof *b->frame);
}

uint32_t hd_backtrack_begin(struct hd_backtrack *b, const struct hd_cursor *now)
{
    uint32_t prefix = (uint32_t)now->w[HD_BT_PREFIX];
    uint16_t chosen = (uint16_t)now->w[HD_BT_CHOSEN];

    hd_path_begin(&b->path);
    if (prefix == 0)
        return 0;
    struct hd_backtrack_frame *f = &b->frame[prefix - 1];

    /* Done twice after a kill, this lets a step sleep twice. */
    if (f->chosen != chosen && f->alternatives == 0) {
        hd_set_add(&f->done, f->chosen);
        if (b->sleeps)
            hd_path_step_done(&b->path, prefix - 1);
    }
    atomic_signal_fence(memory_order_release);
    f->chosen = chosen;
    b->decisions[prefix - 1] = (struct hd_decision){
        .chosen = chosen, .alternatives = f->alternatives, .sig = HD_SIG_ANY };
    return prefix;
}

static void enter(struct hd_backtrack *b, uint32_t k)
{
    hd_path_enter(&b->path, k);
    if (k > 0)
        hd_path_inherit_sleep(&b->path, k);
}

hd_tid hd_backtrack_pick(struct hd_backtrack *b, const struct hd_point *at)
{
    if (hd_path_is_over(&b->path))
        return hd_path_run_on(&b->path, at);
    enter(b, at->step);
    if (at->last_resort)
        return hd_path_run_on(&b->path, at);
    hd_tid t = hd_path_free_choice(&b->path, at);

    /* Beyond what a trace can hold nothing is learnt, so nothing is kept. */
    if (t == HD_NO_TID || at->step >= HD_TRACE_STEPS)
        return t;
    struct hd_backtrack_frame *f = &b->frame[at->step];

    *f = (struct hd_backtrack_frame){ .enabled = at->enabled, .chosen = t };
    hd_set_add(&f->wanted, t);
    return t;
}

uint32_t hd_backtrack_choose(struct hd_backtrack *b, const struct hd_point *at, uint32_t n)
{
    if (hd_path_is_over(&b->path))
        return 0;
    enter(b, at->step);
    if (at->step < HD_TRACE_STEPS)
        b->frame[at->step] = (struct hd_backtrack_frame){ .alternatives = (uint16_t)n };
    return 0;
}

bool hd_backtrack_trace(struct hd_backtrack *b, const struct hd_execution *done,
                        const struct hd_cursor *now, struct hd_cursor *next)
{
    uint32_t prefix = (uint32_t)now->w[HD_BT_PREFIX];
    bool fits = hd_path_length(&b->path) >= prefix && done->ending != HD_END_DIVERGED;

    if (fits && hd_path_trace(&b->path, hd_path_length(&b->path), prefix > 0 ? prefix - 1 : 0)) {
        if (hd_execution_broke_off(done))
            next->w[HD_BT_FLAGS] |= HD_BT_NOT_ALL_SEEN;
        return true;
    }
    next->w[HD_BT_FLAGS] |= HD_BT_NOT_ALL_SEEN;
    return false;
}

void hd_backtrack_races(struct hd_backtrack *b, const struct hd_cursor *now,
                        hd_conflict_found *found, void *ctx)
{
    const struct hd_path *p = &b->path;
    uint32_t prefix = (uint32_t)now->w[HD_BT_PREFIX];

    for (uint32_t s = prefix > 0 ? prefix - 1 : 0; s < hd_path_length(p); s++)
        hd_conflicts_of_step(&b->races, s, found, ctx);
    for (uint32_t t = 0; t < hd_path_threads(p); t++)
        hd_conflicts_of_pending(&b->races, (hd_tid)t, hd_path_pending(p, (hd_tid)t), found, ctx);
}

static bool asleep(const struct hd_backtrack *b, uint32_t k, hd_tid t)
{
    return hd_path_asleep(&b->path, k, b->path.exec->threads[t].slot);
}

static bool next_at(const struct hd_backtrack *b, uint32_t k, uint16_t *chosen)
{
    const struct hd_backtrack_frame *f = &b->frame[k];

    if (f->alternatives != 0) {
        *chosen = (uint16_t)(f->chosen + 1);
        return *chosen < f->alternatives;
    }
    HD_SET_EACH(t, &f->wanted)
        if (t != f->chosen && !hd_set_has(&f->done, t) && !asleep(b, k, (hd_tid)t)) {
            *chosen = (uint16_t)t;
            return true;
        }
    return false;
}

void hd_backtrack_next(struct hd_backtrack *b, const struct hd_execution *done,
                       const struct hd_cursor *now, struct hd_cursor *next,
                       struct hd_outcome *out)
{
    uint32_t prefix = (uint32_t)now->w[HD_BT_PREFIX];
    bool fits = hd_path_length(&b->path) >= prefix && done->ending != HD_END_DIVERGED;
    uint32_t n = fits ? hd_path_length(&b->path) : prefix; /* else the branch is given up */
    uint16_t chosen;

    for (n = n < HD_TRACE_STEPS ? n : HD_TRACE_STEPS; n > 0; n--)
        if (next_at(b, n - 1, &chosen)) {
            next->w[HD_BT_PREFIX] = n;
            next->w[HD_BT_CHOSEN] = chosen;
            return;
        }
    out->exhausted = true;
    out->complete = (next->w[HD_BT_FLAGS] & HD_BT_NOT_ALL_SEEN) == 0;
}

void hd_backtrack_want(struct hd_backtrack *b, uint32_t k, hd_tid tid)
{
    struct hd_backtrack_frame *f = &b->frame[k];

    if (hd_set_has(&f->enabled, tid) && !asleep(b, k, tid))
        hd_set_add(&f->wanted, tid);
    else
        for (int i = 0; i < HD_SET_WORDS; i++)
            f->wanted.w[i] |= f->enabled.w[i];
}
