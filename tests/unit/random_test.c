/* SPDX-License-Identifier: BSD-2-Clause
 *
 * random_test.c - the random walk: repeatable, uniform, blind to yields. */
#include "support/unit.h"

#include "support/explorer.h"
#include "support/programs.h"

static uint64_t trace_of_run(uint64_t seed, uint64_t executions)
{
    struct explorer x;

    explorer_open(&x, &prog_three_adds, "random", -1, seed);
    explorer_all(&x, executions);
    uint64_t hash = explorer_totals(&x)->trace_hash;

    assert_int_equal(explorer_totals(&x)->exhausted, 0);
    explorer_close(&x);
    return hash;
}

static void a_seed_gives_one_exploration(void **state)
{
    (void)state;
    assert_true(trace_of_run(3, 50) == trace_of_run(3, 50));
    assert_true(trace_of_run(3, 50) != trace_of_run(4, 50));
}

/* Execution 7 alone, without the ones before it. */
static void an_execution_depends_on_its_index_only(void **state)
{
    struct explorer all, one;
    uint64_t hash;

    (void)state;
    explorer_open(&all, &prog_three_adds, "random", -1, 9);
    explorer_all(&all, 8);
    hash = all.exec.trace_hash;
    explorer_open(&one, &prog_three_adds, "random", -1, 9);
    one.campaign.totals[0].begun = 7;
    explorer_all(&one, 8);
    assert_true(one.exec.trace_hash == hash);
    assert_int_equal(one.exec.index, 7);
    explorer_close(&all);
    explorer_close(&one);
}

struct tally {
    unsigned first[PROG_THREADS];
    unsigned stayed_after_yield;
    unsigned alternative[3];
};

static void count(struct explorer *x, void *ctx)
{
    struct tally *t = ctx;
    const struct hd_decision *d = x->exec.decisions;

    t->first[d[1].chosen]++;
    t->stayed_after_yield += d[1].chosen == d[2].chosen && d[2].chosen == d[3].chosen;
}

static void every_enabled_thread_is_equally_likely(void **state)
{
    static const struct program p = { .op = {
        { CREATE_ALL(1, 4) },
        { ADD(0, 1), YIELD, ADD(0, 1) }, { ADD(0, 1), YIELD, ADD(0, 1) },
        { ADD(0, 1), YIELD, ADD(0, 1) }, { ADD(0, 1), YIELD, ADD(0, 1) },
    } };
    struct tally t = { .first = { 0 } };
    struct explorer x;

    (void)state;
    explorer_open(&x, &p, "random", -1, 1);
    x.seen = count;
    x.ctx = &t;
    explorer_all(&x, 40000);
    for (int i = 1; i <= 4; i++)
        assert_in_range(t.first[i], 9600, 10400);
    /* Twice the same thread again, the second time right after its yield: 1/16. */
    assert_in_range(t.stayed_after_yield, 2300, 2700);
    explorer_close(&x);
}

static void count_alternatives(struct explorer *x, void *ctx)
{
    struct tally *t = ctx;

    t->alternative[x->exec.decisions[0].chosen]++;
}

static void every_alternative_is_equally_likely(void **state)
{
    static const struct program p = { .op = { { CHOOSE(3, 0), WRITE(0, 1) } } };
    struct tally t = { .first = { 0 } };
    struct explorer x;

    (void)state;
    explorer_open(&x, &p, "random", -1, 1);
    x.seen = count_alternatives;
    x.ctx = &t;
    explorer_all(&x, 30000);
    for (int i = 0; i < 3; i++)
        assert_in_range(t.alternative[i], 9600, 10400);
    explorer_close(&x);
}

/* Threads beyond the first word of the set. */
static void members_of_large_sets_are_reached(void **state)
{
    static unsigned char memory[4096] __attribute__((aligned(64)));
    struct hd_arena arena = { memory, sizeof memory, 0 };
    struct hd_strategy_cfg cfg = { .seed = 1, .params = "", .arena = &arena };
    const struct hd_strategy_ops *ops = hd_strategy_find("random");
    struct hd_cursor now = { .w = { 0 } };
    struct hd_point at = { .nthreads = 201 };
    unsigned hits[3] = { 0 };
    void *self = NULL;

    (void)state;
    hd_set_add(&at.enabled, 5);
    hd_set_add(&at.enabled, 64);
    hd_set_add(&at.enabled, 200);
    assert_true(ops->open(&self, &cfg));
    ops->begin(self, &now, 0);
    for (int i = 0; i < 3000; i++) {
        hd_tid t = ops->pick(self, &at);

        assert_true(t == 5 || t == 64 || t == 200);
        hits[t == 5 ? 0 : t == 64 ? 1 : 2]++;
    }
    for (int i = 0; i < 3; i++)
        assert_in_range(hits[i], 850, 1150);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_seed_gives_one_exploration),
        cmocka_unit_test(an_execution_depends_on_its_index_only),
        cmocka_unit_test(every_enabled_thread_is_equally_likely),
        cmocka_unit_test(every_alternative_is_equally_likely),
        cmocka_unit_test(members_of_large_sets_are_reached),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
