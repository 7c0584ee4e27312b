/* SPDX-License-Identifier: BSD-2-Clause
 *
 * crew.c - several explorers over one shared arena. */
#include "support/crew.h"

#include <sys/mman.h>

#include "base/hash.h"
#include "oracle/oracle.h"
#include "support/unit.h"

#define SHARED_BYTES (UINT64_C(1) << 30)
#define LIMIT 2000000 /* maximum number of steps of a crew, so that every test ends */

#define CLASSES (1u << 18)

struct watch {
    struct crew *crew; /* NULL: there is one worker */
    struct tally *tally;
    uint64_t counted, pass;
};

/* The classes and final states that were seen since the tally was begun. 0 is not a valid hash. */
static uint64_t known[CLASSES], reached[CLASSES];

static struct tally begin_tally(void)
{
    memset(known, 0, sizeof known);
    memset(reached, 0, sizeof reached);
    return (struct tally){ 0 };
}

/* False: it was there. */
static bool is_new(uint64_t *table, uint64_t hash)
{
    uint64_t i = hash % CLASSES;

    while (table[i] != 0 && table[i] != hash)
        i = (i + 1) % CLASSES;
    if (table[i] == hash)
        return false;
    table[i] = hash;
    return true;
}

static void note_class(struct tally *t, uint64_t hash)
{
    if (!is_new(known, hash))
        return;
    assert_true(t->nset < CLASSES / 2);
    t->set += hash;
    t->nset++;
}

static void seen(struct explorer *x, void *ctx)
{
    struct watch *w = ctx;

    if (w->crew != NULL && w->crew->note != NULL)
        w->crew->note(x, w->crew->ctx);
    if (w->pass != explorer_totals(x)->restarts)
        w->counted = 0;
    w->pass = explorer_totals(x)->restarts;
    if (explorer_totals(x)->executions == w->counted)
        return;
    w->counted = explorer_totals(x)->executions;
    uint64_t class =
        hd_hash_mix(1, oracle_hash(x->exec.events, x->exec.nevents, x->state.script));

    w->tally->classes += class;
    note_class(w->tally, class);
    w->tally->nstates += is_new(reached, hd_hash_mix(3, oracle_state(&x->state)));
    w->tally->traces += hd_hash_mix(2, x->exec.trace_hash);
}

static void add_totals(struct tally *t, const struct explorer *x)
{
    t->executions += explorer_totals(x)->executions;
    t->redundant += explorer_totals(x)->redundant;
    t->buggy += explorer_totals(x)->buggy;
    t->restarts = explorer_totals(x)->restarts;
    if (explorer_totals(x)->fallback != HD_FALLBACK_NONE)
        t->fallback = explorer_totals(x)->fallback;
}

struct tally crew_alone(const struct program *p, const char *spec, int64_t bound, uint64_t limit)
{
    struct tally t = begin_tally();
    struct watch w = { .tally = &t };
    static struct explorer x;

    explorer_open(&x, p, spec, bound, 1);
    x.seen = seen;
    x.ctx = &w;
    explorer_all(&x, limit);
    add_totals(&t, &x);
    t.over = explorer_totals(&x)->exhausted;
    t.complete = explorer_totals(&x)->complete;
    explorer_close(&x);
    return t;
}

static struct hd_share *share_of(struct crew *c)
{
    return (struct hd_share *)(void *)c->shared.base;
}

/* Ends the execution, or loses its process. */
static void end(struct crew *c, struct explorer *x, bool over, struct hd_rng *rng)
{
    if (!over) {
        c->tally.lost++;
        x->exec.ending = HD_END_LOST;
        explorer_reopen(x);
    }
    if (c->greedy)
        share_of(c)->wanted = 1;
    uint64_t begun = explorer_totals(x)->begun;

    hd_search_end(&x->search);
    bool committed = explorer_totals(x)->begun > begun;

    if (c->trouble && over && committed && hd_rng_below(rng, 4) == 0)
        x->campaign.current ^= 1; /* makes the last commit undone, as if the worker had been killed before it */
    else
        x->seen(x, x->ctx);
}

static struct hd_known known_now(const void *ctx)
{
    const struct crew *c = ctx;

    return (struct hd_known){ .learnt = hd_learnt_count(c->learnt) };
}

/* A new pass makes everything void that was seen in the previous pass. */
static bool is_ready(struct crew *c, struct explorer *x)
{
    uint64_t pass = c->passes.number;
    bool ready = hd_passes_ready(&c->passes, &x->search, known_now, c);

    if (c->passes.number != pass)
        c->tally = begin_tally();
    return ready;
}

/* Begins an execution and runs it, perhaps with injected trouble.  Returns false if nothing is left to run. */
static bool begin(struct crew *c, unsigned i, struct hd_rng *rng)
{
    struct explorer *x = &c->x[i];
    uint32_t cut = c->trouble ? hd_rng_below(rng, 24) : 24;
    enum hd_begin b = is_ready(c, x) ? hd_search_begin(&x->search) : HD_BEGIN_WAIT;

    if (b == HD_BEGIN_RUN) {
        c->ran[i] = explorer_run(x, cut < 10 ? cut : 10000);
        if (!c->ran[i] && c->losses)
            end(c, x, false, rng);
    }
    return b != HD_BEGIN_NONE;
}

/* Other workers may continue between the run of an execution and its end. */
static bool step(struct crew *c, unsigned i, struct hd_rng *rng)
{
    bool more = c->ran[i] || begin(c, i, rng);

    if (c->ran[i] && hd_rng_below(rng, 2) == 0) {
        c->ran[i] = false;
        end(c, &c->x[i], true, rng);
    }
    if (c->trouble && hd_rng_below(rng, 4) == 0)
        explorer_reopen(&c->x[i]);
    return more;
}

static void open_crew(struct crew *c, unsigned n, const struct program *p, const char *spec,
                      int64_t bound)
{
    c->n = n;
    memset(c->ran, 0, sizeof c->ran);
    c->tally = begin_tally();
    c->shared = (struct hd_arena){ .size = SHARED_BYTES };
    c->shared.base = mmap(NULL, SHARED_BYTES, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(c->shared.base != MAP_FAILED);
    c->passes = (struct hd_passes){ 0 };
    c->learnt = calloc(1, sizeof *c->learnt);
    assert_non_null(c->learnt);
    for (unsigned i = 0; i < n; i++)
        explorer_open_worker(&c->x[i], p, spec, bound, 1, &c->shared, c->learnt, i, n);
}

struct tally crew_explore(struct crew *c, unsigned n, const struct program *p, const char *spec,
                          int64_t bound, struct hd_rng *rng)
{
    struct watch w[CREW_MAX];
    bool busy[CREW_MAX];
    unsigned working = n;

    open_crew(c, n, p, spec, bound);
    for (unsigned i = 0; i < n; i++) {
        w[i] = (struct watch){ .crew = c, .tally = &c->tally };
        c->x[i].seen = seen;
        c->x[i].ctx = &w[i];
        busy[i] = true;
    }
    for (uint64_t steps = 0; working > 0 && steps < LIMIT; steps++) {
        unsigned i = hd_rng_below(rng, n);

        if (busy[i] && !step(c, i, rng)) {
            busy[i] = false;
            working--;
        }
    }
    for (unsigned i = 0; i < n; i++)
        add_totals(&c->tally, &c->x[i]);
    c->tally.over = working == 0 && hd_share_over(&c->shared);
    c->tally.complete = hd_share_complete(&c->shared);
    c->tally.given = share_of(c)->given;
    c->tally.tasks = share_of(c)->serial;
    c->tally.explored = hd_share_explored(&c->shared);
    for (unsigned i = 0; i < n; i++)
        explorer_close(&c->x[i]);
    munmap(c->shared.base, SHARED_BYTES);
    free(c->learnt);
    return c->tally;
}
