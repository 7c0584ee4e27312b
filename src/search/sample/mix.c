/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mix.c - the default strategy of `run`: several samplers in turn.
 *
 * No sampler is good at everything.  Random walks hardly ever keep a thread from running for long; priorities
 * hardly ever switch often enough; a uniform order of one object's uses does not produce stale values.  The
 * best sampler differs from bug to bug.  Alternating between m samplers needs at most about m times the
 * executions of the best one, and keeps a share of each one's guarantee. (Coyote has such portfolios as well.)
 *
 * Execution 0 has no preemption: threads run in the order of their creation, each until it blocks or ends.  So
 * a bug that occurs in every schedule is found in the simplest one.  The other executions come in blocks of 16.
 * In each block every sampler has a fixed number of executions, in random order:
 *
 *   stale 6   stale values in lock-free code; a random walk where there are only locks
 *   surw  4   orders of the uses of one object, threads of very different length
 *   pct   4   threads that are delayed for long; a guarantee by depth
 *   pos   2   races of few operations among many irrelevant ones
 *
 * The shares were tuned on the programs in bench/programs.  There the rarest bugs dominate the total number of
 * executions, and the one of safestack, which stale finds best, is the rarest.
 *
 * mix:d=3         depth of pct
 *
 * M1  The sampler of execution i is determined by (seed, i) alone.  So workers that divide
 *     the indices keep the shares, and a block has the same order for all.
 * M2  Sampler s keeps its state in word 0 of its cursor, which is word s of this one.  No
 *     sampler needs more. */
#include "search/core/stay.h"
#include "search/core/strategies.h"
#include "search/sample/changes.h"
#include "search/sample/draw.h"

enum { PCT, SURW, STALE, POS, SAMPLERS, FIRST = SAMPLERS, BLOCK = 16 };

static const struct hd_strategy_ops *const ops[SAMPLERS] = {
    [PCT] = &hd_strategy_pct,
    [SURW] = &hd_strategy_surw,
    [STALE] = &hd_strategy_stale,
    [POS] = &hd_strategy_pos,
};

static const uint8_t share[SAMPLERS] = { [PCT] = 4, [SURW] = 4, [STALE] = 6, [POS] = 2 };

struct mix {
    struct hd_draws draws; /* used by execution 0 */
    void *sampler[SAMPLERS];
    uint32_t now; /* the current sampler; FIRST: none */
};

static const struct hd_param params[] = {
    { "d", 1, HD_MAX_DEPTH, 3, "depth of bugs to look for (3)" },
    { .key = NULL },
};

static bool mix_open(void **self, const struct hd_strategy_cfg *cfg)
{
    struct mix *m = hd_strategy_state(*self, cfg, sizeof *m);

    *self = m;
    m->draws.seed = cfg->seed;
    for (uint32_t s = 0; s < SAMPLERS; s++) {
        struct hd_strategy_cfg its = *cfg;

        its.params = s == PCT ? cfg->params : "";
        if (!ops[s]->open(&m->sampler[s], &its))
            return false;
    }
    return true;
}

/* Each remaining execution of the block is equally likely to come next.  So the order is random, but the number
 * of executions of each sampler is exact. */
static uint32_t sampler_of(uint64_t seed, uint64_t index)
{
    uint64_t block = (index - 1) / BLOCK, place = (index - 1) % BLOCK;
    struct hd_rng rng = hd_rng_for(~seed, block); /* independent of the random numbers of the samplers */
    uint8_t left[SAMPLERS];
    uint32_t s = 0;

    for (uint32_t i = 0; i < SAMPLERS; i++)
        left[i] = share[i];
    for (uint32_t i = 0; i <= place; i++) {
        uint32_t k = hd_rng_below(&rng, BLOCK - i);

        for (s = 0; k >= left[s]; s++)
            k -= left[s];
        left[s]--;
    }
    return s;
}

static struct hd_cursor cursor_of(const struct hd_cursor *mine, uint32_t s)
{
    return (struct hd_cursor){ .w = { mine->w[s] } };
}

static uint32_t mix_begin(void *self, const struct hd_cursor *now, uint64_t index)
{
    struct mix *m = self;

    if (index == 0) {
        m->now = FIRST;
        return hd_draw_begin(m, now, index);
    }
    m->now = sampler_of(m->draws.seed, index);
    struct hd_cursor its = cursor_of(now, m->now);

    return ops[m->now]->begin(m->sampler[m->now], &its, index);
}

/* Like the first execution of dfs and idb: without delays. */
static hd_tid take_turns(const struct hd_point *at)
{
    struct hd_set eager = hd_eager(at);

    if (hd_set_has(&eager, at->last) && !at->last_yielded)
        return at->last;
    uint32_t next = hd_set_next(&eager, at->last + 1u);

    return (hd_tid)(next < HD_MAX_THREADS ? next : hd_set_next(&eager, 0));
}

static hd_tid mix_pick(void *self, const struct hd_point *at)
{
    struct mix *m = self;

    return m->now == FIRST ? take_turns(at) : ops[m->now]->pick(m->sampler[m->now], at);
}

static uint32_t mix_choose(void *self, const struct hd_point *at, uint32_t n)
{
    struct mix *m = self;

    return m->now == FIRST ? hd_draw_choose(m, at, n)
                           : ops[m->now]->choose(m->sampler[m->now], at, n);
}

static void mix_end(void *self, const struct hd_execution *done, const struct hd_cursor *now,
                    struct hd_cursor *next, struct hd_outcome *out)
{
    struct mix *m = self;

    if (m->now == FIRST) {
        hd_draw_end(m, done, now, next, out);
        return;
    }
    struct hd_cursor before = cursor_of(now, m->now), after = before;

    ops[m->now]->end(m->sampler[m->now], done, &before, &after, out);
    next->w[m->now] = after.w[0];
}

const struct hd_strategy_ops hd_strategy_mix = {
    .name = "mix",
    .split = HD_SPLIT_INDEX,
    .summary = "several samplers in turn: stale, surw, pct and pos",
    .traits = { .draws = HD_DRAWS_RANDOM },
    .params = params,
    .open = mix_open,
    .begin = mix_begin,
    .pick = mix_pick,
    .choose = mix_choose,
    .end = mix_end,
};
