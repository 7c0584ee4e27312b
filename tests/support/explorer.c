/* SPDX-License-Identifier: BSD-2-Clause
 *
 * explorer.c - the scheduler's loop over an in-memory program. */
#include "support/explorer.h"

#include <sys/mman.h>

#include "base/hash.h"
#include "support/unit.h"

#define ARENA_BYTES (UINT64_C(1) << 32)
#define DECISION_BYTES (HD_MAX_STEPS * sizeof(struct hd_decision))
#define EVENT_BYTES (2 * HD_MAX_STEPS * sizeof(struct hd_event))
#define STAND_BYTES (HD_MAX_STEPS * sizeof(uint32_t))
#define ALL_BYTES (ARENA_BYTES + DECISION_BYTES + EVENT_BYTES + STAND_BYTES)

static struct explorer_memory reserve(int sharing)
{
    void *p = mmap(NULL, ALL_BYTES, PROT_READ | PROT_WRITE,
                   sharing | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    assert_true(p != MAP_FAILED);
    madvise(p, ALL_BYTES, MADV_NOHUGEPAGE); /* used sparsely */
    return (struct explorer_memory){ p, ALL_BYTES };
}

static uint32_t signature(const struct hd_event *pending)
{
    return (uint32_t)hd_hash_mix((uint64_t)pending->kind << 32 | pending->obj,
                                 (uint64_t)pending->pc << 16 | pending->tid);
}

/* The arena is sparse: writing zeros would take forever. */
static void wipe(void *p, size_t n)
{
    n = (n + 4095) & ~(size_t)4095;
    assert_true(madvise(p, n, MADV_REMOVE) == 0 || madvise(p, n, MADV_DONTNEED) == 0);
}

static void prepare(struct explorer *x, struct explorer_memory m, const struct program *p,
                    const char *spec, int64_t bound, uint64_t seed)
{
    char name[32];
    const char *colon = strchr(spec, ':');

    memset(x, 0, sizeof *x);
    snprintf(name, sizeof name, "%.*s", (int)(colon ? colon - spec : (ptrdiff_t)strlen(spec)),
             spec);
    x->program = p;
    x->ops = hd_strategy_find(name);
    assert_non_null(x->ops);
    x->memory = m;
    x->arena = (struct hd_arena){ .base = m.base, .size = ARENA_BYTES };
    x->exec.decisions = (void *)((char *)m.base + ARENA_BYTES);
    x->exec.events = (void *)((char *)m.base + ARENA_BYTES + DECISION_BYTES);
    x->exec.stands = (void *)((char *)m.base + ARENA_BYTES + DECISION_BYTES + EVENT_BYTES);
    x->cfg = (struct hd_strategy_cfg){ .seed = seed, .bound = bound,
                                       .params = colon ? colon + 1 : "", .arena = &x->arena,
                                       .decisions = x->exec.decisions,
                                       .stands = x->exec.stands,
                                       .reducer = hd_strategy_reducer(name),
                                       .wipe = wipe, .plain_events = true,
                                       .blocks = prog_has_blocks(p) };
}

static void open_over(struct explorer *x, struct explorer_memory m, const struct program *p,
                      const char *spec, int64_t bound, uint64_t seed)
{
    prepare(x, m, p, spec, bound, seed);
    explorer_reopen(x);
}

void explorer_open(struct explorer *x, const struct program *p, const char *spec, int64_t bound,
                   uint64_t seed)
{
    open_over(x, reserve(MAP_SHARED), p, spec, bound, seed);
}

void explorer_open_worker(struct explorer *x, const struct program *p, const char *spec,
                          int64_t bound, uint64_t seed, struct hd_arena *shared, struct hd_learnt *learnt,
                          uint32_t worker, uint32_t nworkers)
{
    prepare(x, reserve(MAP_SHARED), p, spec, bound, seed);
    x->cfg.shared = shared;
    x->cfg.learnt = learnt;
    x->cfg.worker = worker;
    x->cfg.nworkers = nworkers;
    explorer_reopen(x);
}

void explorer_open_again(struct explorer *x, const struct program *p, const char *spec,
                         int64_t bound, uint64_t seed)
{
    struct explorer_memory m = x->memory;

    if (m.base == NULL)
        m = reserve(MAP_PRIVATE);
    else
        assert_int_equal(madvise(m.base, m.size, MADV_DONTNEED), 0);
    open_over(x, m, p, spec, bound, seed);
}

void explorer_reopen(struct explorer *x)
{
    memset(&x->search, 0xa5, sizeof x->search);
    assert_true(hd_search_open(&x->search, x->ops, &x->cfg, &x->campaign, &x->exec));
}

void explorer_close(struct explorer *x)
{
    munmap(x->memory.base, x->memory.size);
    x->memory.base = NULL;
}

static void finish(struct explorer *x, enum hd_ending ending)
{
    x->exec.ending = ending;
    x->exec.findings = ending == HD_END_FAILED || ending == HD_END_DEADLOCK;
    x->exec.nthreads = x->state.created;
    x->exec.sites = x->sites != NULL ? x->sites(x) : 0;
}

/* A thread's slot is the script that it runs. */
static void name_threads(struct explorer *x, hd_tid creator)
{
    unsigned before = x->exec.nthreads;

    x->exec.nthreads = x->state.created;
    for (unsigned t = 0; t < x->state.created; t++)
        x->exec.threads[t].slot = x->state.script[t];
    for (unsigned t = before; t < x->state.created; t++)
        x->exec.threads[t].parent = creator;
}

/* Never 0, which means unknown. */
static uint32_t stands(const struct hd_point *at, const uint32_t *sigs)
{
    uint32_t sum = 0;

    for (uint32_t i = 0; i < at->nthreads; i++)
        sum += sigs[i] * (2 * i + 1);
    return sum != 0 ? sum : 1;
}

static bool choose(struct explorer *x, const struct hd_point *at, int chooser, uint32_t n)
{
    uint32_t a = hd_search_choose(&x->search, at, n);

    if (a == HD_NO_ALTERNATIVE)
        return false;
    x->exec.nevents += prog_choose_log(&x->state, (unsigned)chooser, a,
                                       &x->exec.events[x->exec.nevents]);
    x->exec.trace_hash = hd_hash_mix(x->exec.trace_hash, a);
    return true;
}

static bool step(struct explorer *x, const struct hd_point *at)
{
    uint32_t sigs[HD_MAX_THREADS];
    struct hd_point with_sigs = *at;

    for (uint32_t i = 0; i < at->nthreads; i++)
        sigs[i] = signature(&at->pending[i]);
    with_sigs.sigs = sigs;
    with_sigs.stands = stands(at, sigs);
    hd_tid t = hd_search_pick(&x->search, &with_sigs);

    if (t == HD_NO_TID)
        return false;
    x->exec.preemptions += hd_point_preempts(at, t);
    x->exec.nevents += prog_step_log(&x->state, t, &x->exec.events[x->exec.nevents]);
    name_threads(x, t);
    x->exec.trace_hash = hd_hash_mix(x->exec.trace_hash, t);
    return true;
}

bool explorer_run(struct explorer *x, uint32_t max_steps)
{
    struct prog_state *s = &x->state;

    prog_start(s, x->program);
    x->exec.trace_hash = 0;
    x->exec.nevents = prog_start_log(s, x->exec.events);
    x->exec.nthreads = 0;
    name_threads(x, 0);
    for (uint32_t i = 0; i < max_steps; i++) {
        struct hd_point at;
        uint32_t n = 0;
        int chooser = prog_chooser(s, &n);

        if (chooser < 0 && prog_over(s)) {
            prog_point(s, i, x->exec.pending, &at);
            finish(x, !prog_buggy(s) ? HD_END_CLEAN : s->failed ? HD_END_FAILED : HD_END_DEADLOCK);
            return true;
        }
        prog_point(s, i, x->exec.pending, &at);
        if (!(chooser >= 0 ? choose(x, &at, chooser, n) : step(x, &at))) {
            finish(x, (enum hd_ending)x->exec.ending);
            return true;
        }
    }
    return false;
}

void explorer_all(struct explorer *x, uint64_t limit)
{
    while (explorer_totals(x)->begun < limit && hd_search_begin(&x->search) == HD_BEGIN_RUN) {
        if (!explorer_run(x, x->max_steps != 0 ? x->max_steps : 10000))
            finish(x, HD_END_TOO_LONG);
        hd_search_end(&x->search);
        if (x->seen != NULL)
            x->seen(x, x->ctx);
    }
}

const struct hd_totals *explorer_totals(const struct explorer *x)
{
    return hd_campaign_totals(&x->campaign);
}
