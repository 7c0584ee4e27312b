/* SPDX-License-Identifier: BSD-2-Clause
 *
 * compare.c - sorts the schedules that the strategy and brute force have found, and compares them. */
#include "support/compare.h"

#include "support/unit.h"

#define CAPACITY 5000

struct seen {
    uint64_t hash;
    int64_t cost;
    bool buggy;
};

struct collected {
    struct seen item[CAPACITY + 1];
    unsigned n;
    uint64_t counted; /* executions counted before the current one */
};

static void collect(struct explorer *x, void *ctx)
{
    struct collected *c = ctx;
    const struct hd_totals *t = explorer_totals(x);

    if (t->executions == c->counted || c->n > CAPACITY)
        return;
    c->counted = t->executions;
    c->item[c->n++] = (struct seen){
        .hash = schedule_hash(x->exec.decisions, x->exec.nsteps),
        .cost = t->bound,
        .buggy = x->exec.findings > 0,
    };
}

static int by_hash(const void *a, const void *b)
{
    uint64_t x = ((const struct seen *)a)->hash, y = ((const struct seen *)b)->hash;

    return x < y ? -1 : x > y;
}

static unsigned expected(const struct program *p, enum compare_cost cost, struct seen *out)
{
    static struct brute_schedule schedules[CAPACITY];
    struct brute b = { .schedule = schedules, .capacity = CAPACITY };

    brute_enumerate(&b, p);
    if (b.full)
        return 0;
    for (unsigned i = 0; i < b.n; i++) {
        out[i].hash = schedules[i].hash;
        out[i].buggy = schedules[i].buggy;
        out[i].cost = cost == COMPARE_NO_COST      ? -1
                      : cost == COMPARE_PREEMPTIONS ? (int64_t)schedules[i].preemptions
                                                    : (int64_t)schedules[i].delays;
    }
    return b.n;
}

unsigned compare_with_brute(const struct program *p, const char *spec, enum compare_cost cost,
                            const char *what)
{
    static struct seen want[CAPACITY];
    static struct collected got;
    struct explorer x;
    unsigned n = expected(p, cost, want);

    if (n == 0)
        return 0;
    got.n = 0;
    got.counted = 0;
    explorer_open(&x, p, spec, -1, 1);
    x.seen = collect;
    x.ctx = &got;
    explorer_all(&x, UINT64_MAX);
    EXPECT_EQ(what, explorer_totals(&x)->complete, 1);
    EXPECT_EQ(what, got.n, n);
    qsort(want, n, sizeof want[0], by_hash);
    qsort(got.item, n, sizeof want[0], by_hash);
    for (unsigned i = 0; i < n; i++) {
        EXPECT_EQ(what, got.item[i].hash, want[i].hash);
        EXPECT_EQ(what, (unsigned long long)got.item[i].cost, (unsigned long long)want[i].cost);
        EXPECT_EQ(what, got.item[i].buggy, want[i].buggy);
    }
    explorer_close(&x);
    return n;
}

void compare_random_programs(unsigned n, uint64_t seed, const char *spec, enum compare_cost cost)
{
    unsigned compared = 0;

    for (unsigned i = 0; i < n; i++) {
        struct hd_rng rng = hd_rng_for(seed, i);
        struct program p;
        char what[64];

        prog_random(&p, &rng);
        snprintf(what, sizeof what, "%s, random program %u", spec, i);
        compared += compare_with_brute(&p, spec, cost, what) > 0;
    }
    assert_true(compared > n / 2);
}

struct explored explore_program(const struct program *p, const char *spec, int64_t bound)
{
    struct explorer x;

    explorer_open(&x, p, spec, bound, 1);
    explorer_all(&x, UINT64_MAX);
    const struct hd_totals *t = explorer_totals(&x);
    struct explored e = { .executions = t->executions, .buggy = t->buggy,
                          .complete = t->complete, .first_buggy = t->first_buggy,
                          .at_bound = t->at_bound, .buggy_at_bound = t->buggy_at_bound,
                          .bound = t->bound };

    explorer_close(&x);
    return e;
}
