/* SPDX-License-Identifier: BSD-2-Clause
 *
 * oracle.c - the recursion.  States are copied, not undone; what a class is known by
 * is found through a table that no program has to clear. */
#include "oracle/oracle.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "support/brute.h"

#define SLOTS (1u << 18)
_Static_assert(SLOTS > 2 * ORACLE_CLASSES, "a probe must end");

/* Where the class of a hash is; valid in its own generation only. */
struct table {
    struct { uint32_t generation, index; } slot[SLOTS];
    uint32_t generation;
};

struct search {
    struct oracle *oracle;
    struct order order;
};

struct cost {
    unsigned preemptions, delays;
};

static struct table table;

uint64_t oracle_hash(const struct hd_event *events, uint32_t n, const uint8_t *script)
{
    static struct order order;

    order_start(&order, NULL);
    for (uint32_t i = 0; i < n; i++)
        order_push(&order, &events[i], script[events[i].tid]);
    return order_hash(&order, ORDER_HAPPENS_BEFORE);
}

/* The thread that holds it, by a name that does not depend on the order of creation. */
static uint64_t holder(const struct prog_state *s, int tid)
{
    return tid < 0 ? 0 : s->script[tid] + UINT64_C(1);
}

uint64_t oracle_state(const struct prog_state *s)
{
    uint64_t h = hd_hash_bytes(0, s->cell, sizeof s->cell), threads = 0;

    /* Stamps and the tokens' own are left out: their numbers depend on lost signals. */
    h = hd_hash_bytes(h, s->sync.sem, sizeof s->sync.sem);
    h = hd_hash_bytes(h, s->sync.readers, sizeof s->sync.readers);
    h = hd_hash_bytes(h, s->sync.once, sizeof s->sync.once);
    h = hd_hash_bytes(h, s->sync.nwaiting, sizeof s->sync.nwaiting);
    h = hd_hash_bytes(h, s->sync.ntokens, sizeof s->sync.ntokens);
    for (unsigned i = 0; i < PROG_SYNCS; i++)
        h = hd_hash_mix(h, holder(s, s->owner[i]) << 8 | holder(s, s->sync.writer[i]));
    for (unsigned t = 0; t < s->created; t++)
        threads += hd_hash_spread((uint64_t)s->script[t] << 32 | (uint64_t)s->loops[t] << 24 |
                                  (uint64_t)s->pc[t] << 16 | (uint64_t)s->phase[t] << 8 |
                                  (uint8_t)s->reg[t]);
    return hd_hash_mix(h, threads);
}

static int by_hash(const void *a, const void *b)
{
    uint64_t x = ((const struct oracle_class *)a)->hash, y = ((const struct oracle_class *)b)->hash;

    return x < y ? -1 : x > y;
}

static int by_lazy(const void *a, const void *b)
{
    uint64_t x = (*(const struct oracle_class *const *)a)->lazy;
    uint64_t y = (*(const struct oracle_class *const *)b)->lazy;

    return x < y ? -1 : x > y;
}

const struct oracle_class *oracle_find(const struct oracle *o, uint64_t hash)
{
    struct oracle_class key = { .hash = hash };

    return bsearch(&key, o->class, o->n, sizeof key, by_hash);
}

unsigned oracle_within(const struct oracle *o, unsigned preemptions)
{
    unsigned n = 0;

    for (unsigned i = 0; i < o->n; i++)
        n += o->class[i].preemptions <= preemptions;
    return n;
}

static void add_class(struct oracle *o, uint32_t slot, const struct oracle_class *c)
{
    if (o->n == o->capacity || o->n == ORACLE_CLASSES) {
        o->full = true;
        return;
    }
    table.slot[slot].generation = table.generation;
    table.slot[slot].index = o->n;
    o->class[o->n++] = *c;
}

static bool same_end(const struct oracle_class *a, const struct oracle_class *b)
{
    return a->state == b->state && a->deadlock == b->deadlock;
}

static void record(struct search *x, const struct prog_state *s, struct cost cost)
{
    struct oracle *o = x->oracle;
    const struct oracle_class c = {
        .hash = order_hash(&x->order, ORDER_HAPPENS_BEFORE),
        .lazy = order_hash(&x->order, ORDER_LAZY), .state = oracle_state(s),
        .preemptions = (uint16_t)cost.preemptions, .delays = (uint16_t)cost.delays,
        .deadlock = prog_buggy(s) };
    uint32_t i = (uint32_t)c.hash % SLOTS;

    o->schedules++;
    for (; table.slot[i].generation == table.generation; i = (i + 1) % SLOTS) {
        struct oracle_class *k = &o->class[table.slot[i].index];

        if (k->hash != c.hash)
            continue;
        o->unlike += !same_end(k, &c) || k->lazy != c.lazy;
        k->preemptions = k->preemptions < c.preemptions ? k->preemptions : c.preemptions;
        k->delays = k->delays < c.delays ? k->delays : c.delays;
        return;
    }
    add_class(o, i, &c);
}

static void explore(struct search *x, const struct prog_state *s, struct cost cost);

static void push(struct search *x, const struct prog_state *after, const struct hd_event *log,
                 unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        order_push(&x->order, &log[i], after->script[log[i].tid]);
}

static void explore_choice(struct search *x, const struct prog_state *s, struct cost cost,
                           unsigned tid, uint32_t n)
{
    uint32_t before = x->order.n;
    struct hd_event log[PROG_EVENTS];

    for (uint32_t a = 0; a < n; a++) {
        struct prog_state after = *s;

        push(x, &after, log, prog_choose_log(&after, tid, a, log));
        explore(x, &after, cost);
        order_pop(&x->order, before);
    }
}

static void explore_threads(struct search *x, const struct prog_state *s, struct cost cost,
                            const bool *enabled)
{
    bool last_goes_on = enabled[s->last] && !s->just_yielded;
    uint32_t before = x->order.n;
    struct hd_event log[PROG_EVENTS];

    for (unsigned t = 0; t < s->created; t++) {
        struct prog_state after = *s;

        if (!enabled[t])
            continue;
        push(x, &after, log, prog_step_log(&after, t, log));
        explore(x, &after, (struct cost){
            cost.preemptions + (last_goes_on && t != s->last),
            cost.delays + brute_delays(enabled, s->created, s->last + s->just_yielded, t) });
        order_pop(&x->order, before);
    }
}

static void explore(struct search *x, const struct prog_state *s, struct cost cost)
{
    struct oracle *o = x->oracle;
    bool enabled[PROG_THREADS] = { false }, any = false;
    uint32_t n = 0;
    int chooser = prog_chooser(s, &n);

    o->misused |= s->misused;
    o->full |= (o->limit != 0 && o->schedules >= o->limit) ||
               x->order.n + PROG_EVENTS > ORDER_EVENTS;
    if (o->full || o->misused)
        return;
    if (chooser >= 0) {
        explore_choice(x, s, cost, (unsigned)chooser, n);
        return;
    }
    for (unsigned t = 0; t < s->created; t++)
        any |= enabled[t] = prog_enabled(s, t);
    if (any)
        explore_threads(x, s, cost, enabled);
    else
        record(x, s, cost);
}

/* Counts the lazy classes; executions of one must have the same end. */
static void count_lazy(struct oracle *o)
{
    const struct oracle_class **sorted = malloc((o->n + 1) * sizeof *sorted);

    for (unsigned i = 0; i < o->n; i++)
        sorted[i] = &o->class[i];
    qsort(sorted, o->n, sizeof *sorted, by_lazy);
    for (unsigned i = 0; i < o->n; i++) {
        bool first = i == 0 || sorted[i]->lazy != sorted[i - 1]->lazy;

        o->nlazy += first;
        o->unlike_lazy += !first && !same_end(sorted[i], sorted[i - 1]);
    }
    free(sorted);
}

void oracle_enumerate(struct oracle *o, const struct program *p)
{
    static struct search x;
    struct hd_event log[2 * PROG_SYNCS];
    struct prog_state s;

    x.oracle = o;
    table.generation++;
    o->n = o->nlazy = o->unlike = o->unlike_lazy = 0;
    o->schedules = 0;
    o->full = o->misused = false;
    prog_start(&s, p);
    order_start(&x.order, p);
    push(&x, &s, log, prog_start_log(&s, log));
    explore(&x, &s, (struct cost){ 0, 0 });
    qsort(o->class, o->n, sizeof o->class[0], by_hash);
    count_lazy(o);
}
