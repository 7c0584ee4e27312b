/* SPDX-License-Identifier: BSD-2-Clause
 *
 * judge.c - explores with a strategy and compares the classes. */
#include "oracle/judge.h"

#include <stdlib.h>

#include "oracle/print_c.h"
#include "oracle/shrink.h"
#include "support/explorer.h"
#include "support/unit.h"

#define CLASSES 20000
#define SCHEDULES 20000

struct watch {
    const struct oracle *oracle;
    uint8_t *count; /* per class */
    uint64_t counted;
    uint64_t unknown;
};

static void seen(struct explorer *x, void *ctx)
{
    struct watch *w = ctx;

    if (explorer_totals(x)->executions == w->counted)
        return;
    w->counted = explorer_totals(x)->executions;
    uint64_t hash = oracle_hash(x->exec.events, x->exec.nevents, x->state.script);
    const struct oracle_class *c = oracle_find(w->oracle, hash);

    if (c == NULL || c->state != oracle_state(&x->state) || c->deadlock != (x->exec.findings > 0)) {
        w->unknown++;
        return;
    }
    uint8_t *n = &w->count[c - w->oracle->class];

    *n = (uint8_t)(*n + (*n < UINT8_MAX));
}

static void explore(struct judgement *one, struct watch *w, const struct program *p,
                    const struct judge_claim *c)
{
    static struct explorer x;

    explorer_open_again(&x, p, c->spec, c->cost == JUDGE_UNBOUNDED ? -1 : (int64_t)c->bound, 1);
    x.seen = seen;
    x.ctx = w;
    explorer_all(&x, 20 * SCHEDULES);
    const struct hd_totals *t = explorer_totals(&x);

    one->executions = t->executions;
    one->redundant = t->redundant;
    one->incomplete = !t->complete;
}

static bool within(const struct judge_claim *c, const struct oracle_class *k)
{
    switch (c->cost) {
    case JUDGE_PREEMPTIONS:
        return k->preemptions <= c->bound;
    case JUDGE_DELAYS:
        return k->delays <= c->bound;
    default:
        return true;
    }
}

/* Classes taken together by a key: their lazy hash, or how they end. */
struct group {
    uint64_t key;
    bool due, explored;
};

static int by_key(const void *a, const void *b)
{
    uint64_t x = ((const struct group *)a)->key, y = ((const struct group *)b)->key;

    return x < y ? -1 : x > y;
}

/* Groups with a class within the bound of which no class was explored. */
static uint64_t missed_groups(const struct oracle *o, const uint8_t *count,
                              const struct judge_claim *c, bool lazy)
{
    static struct group g[CLASSES];
    uint64_t missed = 0;

    for (unsigned i = 0; i < o->n; i++) {
        const struct oracle_class *k = &o->class[i];

        g[i] = (struct group){ lazy ? k->lazy : k->state ^ k->deadlock, within(c, k), count[i] > 0 };
    }
    qsort(g, o->n, sizeof g[0], by_key);
    for (unsigned i = 0, end; i < o->n; i = end) {
        bool due = false, explored = false;

        for (end = i; end < o->n && g[end].key == g[i].key; end++) {
            due |= g[end].due;
            explored |= g[end].explored;
        }
        missed += due && !explored;
    }
    return missed;
}

static void compare(struct judgement *one, const struct oracle *o, const uint8_t *count,
                    const struct judge_claim *c)
{
    for (unsigned i = 0; i < o->n; i++) {
        bool due = within(c, &o->class[i]);

        one->classes += due;
        one->missed += due && count[i] == 0;
        one->beyond += !due && count[i] > 0;
        one->twice += count[i] > 1 ? count[i] - 1u : 0;
    }
    if (c->promises & JUDGE_LAZY)
        one->missed_lazy = missed_groups(o, count, c, true);
    if (c->promises & JUDGE_STATES)
        one->missed_states = missed_groups(o, count, c, false);
}

static bool is_broken(const struct judgement *one, unsigned promises)
{
    if (one->incomplete != 0 && (promises & JUDGE_HONEST) != 0)
        return one->unknown != 0;
    return one->unknown + one->incomplete != 0 ||
           ((promises & JUDGE_CLASSES) != 0 && one->missed != 0) ||
           ((promises & JUDGE_LAZY) != 0 && one->missed_lazy != 0) ||
           ((promises & JUDGE_STATES) != 0 && one->missed_states != 0) ||
           ((promises & JUDGE_ONCE) != 0 && one->twice != 0) ||
           ((promises & JUDGE_LEAN) != 0 && one->redundant != 0) ||
           ((promises & JUDGE_EXACT) != 0 && one->beyond != 0);
}

/* All fields are counts. */
static void add(struct judgement *j, const struct judgement *one)
{
    uint64_t *to = (uint64_t *)j;
    const uint64_t *from = (const uint64_t *)one;

    for (size_t i = 0; i < sizeof *j / sizeof *to; i++)
        to[i] += from[i];
}

const struct oracle *judge_oracle(const struct program *p)
{
    static struct oracle_class classes[CLASSES];
    static struct oracle o;

    o = (struct oracle){ .class = classes, .capacity = CLASSES, .limit = SCHEDULES };
    oracle_enumerate(&o, p);
    return o.full || o.misused ? NULL : &o;
}

bool judge_with(struct judgement *j, const struct oracle *o, const struct program *p,
                const struct judge_claim *c)
{
    static uint8_t count[CLASSES];
    struct watch w = { .oracle = o, .count = count };
    struct judgement one = { .programs = 1, .schedules = o->schedules };

    memset(count, 0, o->n);
    explore(&one, &w, p, c);
    one.unknown = w.unknown;
    compare(&one, o, count, c);
    one.broken = is_broken(&one, c->promises);
    add(j, &one);
    return !one.broken;
}

bool judge_program(struct judgement *j, const struct program *p, const struct judge_claim *c)
{
    const struct oracle *o = judge_oracle(p);

    if (o != NULL)
        return judge_with(j, o, p, c);
    j->skipped++;
    return true;
}

static bool breaks_claim(const struct program *p, const void *claim)
{
    struct judgement j = { 0 };

    return !judge_program(&j, p, claim);
}

static void show_program(struct program *p, const char *name, uint64_t index,
                         const struct judge_claim *c)
{
    struct judgement j = { 0 };
    char title[96];

    shrink(p, breaks_claim, c);
    judge_program(&j, p, c);
    snprintf(title, sizeof title, "program %llu of %s, shrunk", (unsigned long long)index, name);
    judge_print(stderr, &j, title, c);
    generate_print(p, stderr);
    print_c(p, stderr);
}

void judge_family(struct judgement *j, enum generate_family f, uint64_t seed, uint64_t first,
                  uint64_t n, const struct judge_claim *claims, size_t nclaims, unsigned show)
{
    uint64_t judged = 0, skipped = 0;

    for (uint64_t i = first; judged < n && skipped <= n; i++) {
        struct program p;

        generate(&p, f, seed, i);
        const struct oracle *o = judge_oracle(&p);

        judged += o != NULL;
        skipped += o == NULL;
        for (size_t k = 0; k < nclaims && o != NULL; k++) {
            struct program failing = p;

            if (judge_with(&j[k], o, &p, &claims[k]) || show == 0)
                continue;
            show--;
            show_program(&failing, generate_name(f), i, &claims[k]);
            o = judge_oracle(&p); /* shrinking needed it for other programs */
        }
    }
    for (size_t k = 0; k < nclaims; k++)
        j[k].skipped += skipped;
}

void judge_print(FILE *out, const struct judgement *j, const char *what,
                 const struct judge_claim *c)
{
    static const char *const cost[] = { "", " preemptions", " delays" };
    char title[64] = "";

    if (c->cost != JUDGE_UNBOUNDED)
        snprintf(title, sizeof title, " up to %u%s", c->bound, cost[c->cost]);
    fprintf(out, "%s: %s%s: programs %llu", what, c->spec, title, (unsigned long long)j->programs);
#define SHOW(field)                                                               \
    if (j->field != 0)                                                            \
        fprintf(out, " " #field " %llu", (unsigned long long)j->field)
    SHOW(skipped);
    SHOW(schedules);
    SHOW(classes);
    SHOW(executions);
    SHOW(missed);
    SHOW(missed_lazy);
    SHOW(missed_states);
    SHOW(twice);
    SHOW(beyond);
    SHOW(unknown);
    SHOW(redundant);
    SHOW(incomplete);
    SHOW(broken);
#undef SHOW
    fprintf(out, "\n");
}
