/* SPDX-License-Identifier: BSD-2-Clause
 *
 * judge.c - explores with a strategy and compares the classes. */
#include "oracle/judge.h"

#include "support/explorer.h"
#include "support/unit.h"

#define CLASSES 20000
#define SCHEDULES 60000

struct watch {
    struct oracle *oracle;
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
                    const char *spec)
{
    static struct explorer x;

    explorer_open(&x, p, spec, -1, 1);
    x.seen = seen;
    x.ctx = w;
    explorer_all(&x, 20 * SCHEDULES);
    const struct hd_totals *t = explorer_totals(&x);

    one->executions = t->executions;
    one->redundant = t->redundant;
    one->incomplete = !t->complete;
    explorer_close(&x);
}

static void add(struct judgement *j, const struct judgement *one)
{
    j->programs++;
    j->schedules += one->schedules;
    j->classes += one->classes;
    j->executions += one->executions;
    j->missed += one->missed;
    j->twice += one->twice;
    j->unknown += one->unknown;
    j->redundant += one->redundant;
    j->incomplete += one->incomplete;
}

/* Is there a class that was seen and equals c up to the order of mutex operations?
 * Then it must also have the same end. */
static bool seen_lazily(const struct oracle *o, const uint8_t *count, const struct oracle_class *c)
{
    for (unsigned i = 0; i < o->n; i++)
        if (count[i] > 0 && o->class[i].lazy == c->lazy)
            return o->class[i].state == c->state && o->class[i].deadlock == c->deadlock;
    return false;
}

bool judge_program(struct judgement *j, const struct program *p, const char *spec,
                   enum judge_goal goal)
{
    static struct oracle_class classes[CLASSES];
    static uint8_t count[CLASSES];
    struct oracle o = { .class = classes, .capacity = CLASSES, .limit = SCHEDULES };
    struct watch w = { .oracle = &o, .count = count };
    struct judgement one = { .programs = 1 };

    oracle_enumerate(&o, p);
    if (o.full) {
        j->skipped++;
        return true;
    }
    memset(count, 0, o.n);
    explore(&one, &w, p, spec);
    one.schedules = o.schedules;
    one.classes = o.n;
    one.unknown = w.unknown;
    for (unsigned i = 0; i < o.n; i++) {
        one.missed += count[i] == 0 &&
                      (goal != JUDGE_LAZY || !seen_lazily(&o, count, &classes[i]));
        one.twice += count[i] > 1 ? count[i] - 1u : 0;
    }
    add(j, &one);
    return one.missed + one.unknown + one.incomplete == 0 &&
           (goal != JUDGE_OPTIMAL || one.twice + one.redundant == 0);
}

void judge_family(struct judgement *j, enum generate_family f, uint64_t seed, uint64_t first,
                  uint64_t n, const char *spec, enum judge_goal goal, unsigned show)
{
    for (uint64_t i = first; i < first + n; i++) {
        struct program p;
        struct judgement before = *j;

        generate(&p, f, seed, i);
        if (judge_program(j, &p, spec, goal) || show == 0)
            continue;
        show--;
        fprintf(stderr, "%s, program %llu of %s: %llu missed, %llu twice, %llu unknown, "
                "%llu redundant, %llu incomplete\n", spec, (unsigned long long)i, generate_name(f),
                (unsigned long long)(j->missed - before.missed),
                (unsigned long long)(j->twice - before.twice),
                (unsigned long long)(j->unknown - before.unknown),
                (unsigned long long)(j->redundant - before.redundant),
                (unsigned long long)(j->incomplete - before.incomplete));
        generate_print(&p, stderr);
    }
}

void judge_print(const struct judgement *j, const char *what, const char *spec)
{
    printf("%-17s %-13s programs %llu (skipped %llu) schedules %llu classes %llu executions %llu "
           "missed %llu twice %llu redundant %llu unknown %llu incomplete %llu\n", what, spec,
           (unsigned long long)j->programs, (unsigned long long)j->skipped,
           (unsigned long long)j->schedules, (unsigned long long)j->classes,
           (unsigned long long)j->executions, (unsigned long long)j->missed,
           (unsigned long long)j->twice, (unsigned long long)j->redundant,
           (unsigned long long)j->unknown, (unsigned long long)j->incomplete);
}
