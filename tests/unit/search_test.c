/* SPDX-License-Identifier: BSD-2-Clause
 *
 * search_test.c - what search.c itself promises: totals, preemptions, the check
 * of the prefix. */
#include "support/unit.h"

#include "base/hash.h"
#include "support/explorer.h"
#include "support/programs.h"

struct sums {
    uint64_t steps, events, hash, last_begun;
};

static void add_up(struct explorer *x, void *ctx)
{
    struct sums *s = ctx;
    const struct hd_totals *t = explorer_totals(x);

    s->steps += x->exec.nsteps;
    s->events += x->exec.nevents;
    s->hash += hd_hash_mix(0, x->exec.trace_hash);
    assert_int_equal(t->begun, s->last_begun + 1);
    assert_int_equal(x->exec.index, s->last_begun);
    s->last_begun = t->begun;
}

static void totals_add_up(void **state)
{
    struct sums s = { 0 };
    struct explorer x;

    (void)state;
    explorer_open(&x, &prog_abba, "dfs", -1, 1);
    assert_int_equal(explorer_totals(&x)->bound, -1);
    x.seen = add_up;
    x.ctx = &s;
    explorer_all(&x, UINT64_MAX);
    const struct hd_totals *t = explorer_totals(&x);

    assert_int_equal(t->executions, 46);
    assert_int_equal(t->redundant, 0);
    assert_int_equal(t->buggy, 3);
    assert_int_equal(t->first_buggy, 10);
    assert_int_equal(t->bug_bound_set, 1);
    assert_int_equal(t->bug_bound, -1);
    assert_int_equal(t->threads_max, 3);
    assert_int_equal(t->enabled_max, 2);
    assert_int_equal(t->steps_max, 12);
    assert_int_equal(t->steps_sum, s.steps);
    assert_int_equal(t->events_sum, s.events);
    assert_true(t->trace_hash == s.hash);
    assert_int_equal(t->exhausted, 1);
    assert_int_equal(t->complete, 1);
    assert_false(hd_search_begin(&x.search));
    explorer_close(&x);
}

/* The strategy's own account of the cost is another one than search.c's. */
static void expect_preemptions_equal_bound(struct explorer *x, void *ctx)
{
    uint64_t *counted = ctx;
    const struct hd_totals *t = explorer_totals(x);

    if (t->executions > *counted)
        assert_int_equal(x->exec.preemptions, t->bound);
    else
        assert_true(x->exec.preemptions < t->bound);
    *counted = t->executions;
}

static void preemptions_are_counted(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 100; i++) {
        struct hd_rng rng = hd_rng_for(41, i);
        uint64_t counted = 0;
        struct program p;
        struct explorer x;

        prog_random(&p, &rng);
        explorer_open(&x, &p, "ipb", -1, 1);
        x.seen = expect_preemptions_equal_bound;
        x.ctx = &counted;
        explorer_all(&x, 2000);
        explorer_close(&x);
    }
}

/* The program changes under the search: an operation of the prefix is another. */
static void a_prefix_that_does_not_fit_is_noticed(void **state)
{
    static const struct program before = { .op = {
        { CREATE_ALL(1, 2) }, { WRITE(0, 1), WRITE(0, 2) }, { WRITE(0, 3), WRITE(0, 4) },
    } };
    static const struct program after = { .op = {
        { CREATE_ALL(1, 2) }, { WRITE(0, 1), READ(1) }, { READ(1), READ(1) },
    } };
    struct explorer x;

    (void)state;
    explorer_open(&x, &before, "dfs", -1, 1);
    explorer_all(&x, 2);
    x.program = &after;
    explorer_all(&x, 3); /* replays 0 1 2 and branches after that */
    assert_int_equal(x.exec.ending, HD_END_DIVERGED);
    assert_int_equal(x.exec.diverged_step, 1); /* T2 stands there already, before it runs */
    assert_int_equal(x.exec.diverged_found.tid, 2);
    assert_int_equal(x.exec.diverged_found.kind, HD_EV_ATOMIC_LOAD);
    x.program = &before;
    explorer_all(&x, UINT64_MAX);
    assert_int_equal(explorer_totals(&x)->exhausted, 1);
    assert_int_equal(explorer_totals(&x)->complete, 0);
    assert_int_equal(explorer_totals(&x)->redundant, 1);
    assert_int_equal(explorer_totals(&x)->executions, 5);
    explorer_close(&x);
}

/* The thread that sleeps, or that waits beside the prefix, stands before another operation
 * than the one that is remembered: without a look at it the execution would be cut as one
 * that is known, and the search called complete. */
static void a_thread_beside_the_prefix_that_differs_is_noticed(void **state)
{
    static const char *const strategies[] = { "dfs", "ipb", "dpor", "dpor-optimal",
        "dpor-classic", "dpor-lazy", "bpor", "bpor-source", "bpor-lazy", "bpor-naive" };
    static const struct program before = { .op = {
        { CREATE_ALL(1, 2) }, { WRITE(0, 1) }, { WRITE(0, 2) },
    } };
    static const struct program after = { .op = {
        { CREATE_ALL(1, 2) }, { WRITE(1, 1) }, { WRITE(0, 2) },
    } };

    (void)state;
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
        bool bounded = strategies[i][0] == 'b';
        struct explorer x;

        explorer_open(&x, &before, strategies[i], bounded ? 2 : -1, 1);
        explorer_all(&x, 1);
        x.program = &after;
        while (explorer_totals(&x)->exhausted == 0 && x.exec.ending != HD_END_DIVERGED)
            explorer_all(&x, explorer_totals(&x)->begun + 1);
        assert_int_equal(x.exec.ending, HD_END_DIVERGED);
        assert_int_equal(x.exec.diverged_found.tid, 1);
        assert_int_equal(explorer_totals(&x)->complete, 0);
        explorer_close(&x);
    }
}

/* A strategy that wants no more of every second execution at its third decision, and
 * of the first choice that it sees. */
static uint64_t cutter_index;

static bool cutter_open(void **self, const struct hd_strategy_cfg *cfg)
{
    *self = hd_strategy_state(*self, cfg, sizeof(uint64_t));
    return true;
}

static uint32_t cutter_begin(void *self, const struct hd_cursor *now, uint64_t index)
{
    (void)self;
    (void)now;
    cutter_index = index;
    return 0;
}

static hd_tid cutter_pick(void *self, const struct hd_point *at)
{
    (void)self;
    if (at->step == 2 && cutter_index % 2 == 1)
        return HD_NO_TID;
    return (hd_tid)hd_set_next(&at->enabled, 0);
}

static uint32_t cutter_choose(void *self, const struct hd_point *at, uint32_t n)
{
    (void)self;
    (void)at;
    (void)n;
    return HD_NO_ALTERNATIVE;
}

static void cutter_end(void *self, const struct hd_execution *done, const struct hd_cursor *now,
                       struct hd_cursor *next, struct hd_outcome *out)
{
    (void)self;
    (void)now;
    (void)next;
    if (done->ending == HD_END_CUT) {
        assert_int_equal(done->nsteps, done->index == 5 ? 1 : 2);
        assert_int_equal(done->pending[2].kind, HD_EV_ATOMIC_STORE);
    }
    out->exhausted = done->index == 5;
}

static void a_cut_execution_ends_at_once_and_is_redundant(void **state)
{
    static const struct program deadlock = { .start = 3, .op = {
        { LOCK(0), LOCK(1) }, { LOCK(1), LOCK(0) }, { WRITE(0, 1) },
    } };
    static const struct program choice = { .start = 3, .op = {
        { WRITE(0, 1), CHOOSE(2, 1) }, { WRITE(0, 2) }, { WRITE(0, 3) },
    } };
    static const struct hd_strategy_ops cutter = {
        .name = "cutter", .open = cutter_open, .begin = cutter_begin, .pick = cutter_pick,
        .choose = cutter_choose, .end = cutter_end };
    struct explorer x;

    (void)state;
    explorer_open(&x, &deadlock, "dfs", -1, 1);
    x.ops = &cutter;
    memset(x.arena.base, 0, x.arena.used);
    x.arena.used = 0;
    explorer_reopen(&x);
    explorer_all(&x, 5);
    assert_int_equal(explorer_totals(&x)->executions, 3);
    assert_int_equal(explorer_totals(&x)->redundant, 2);
    x.program = &choice;
    explorer_all(&x, UINT64_MAX);
    assert_int_equal(x.exec.ending, HD_END_CUT);
    assert_int_equal(explorer_totals(&x)->executions, 3);
    assert_int_equal(explorer_totals(&x)->redundant, 3);
    explorer_close(&x);
}

/* An execution that heddle_assume has stopped is none, unless something was found. */
static void an_assumption_leaves_executions_out(void **state)
{
    struct explorer x;

    (void)state;
    explorer_open(&x, &prog_abba, "random", -1, 1);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(hd_search_begin(&x.search), HD_BEGIN_RUN);
        assert_int_equal(x.exec.assumed, 0); /* of this execution */
        x.exec.ending = HD_END_CLEAN;
        x.exec.assumed = i != 3;
        x.exec.findings = i == 2;
        x.exec.loop_cuts = 1;
        hd_search_end(&x.search);
    }
    const struct hd_totals *t = explorer_totals(&x);

    assert_true(t->assumed == 2 && t->executions == 2 && t->buggy == 1 && t->redundant == 0);
    assert_true(t->begun == 4 && t->loop_cuts == 4);
    explorer_close(&x);
}

static void parameters_that_make_no_sense_are_refused(void **state)
{
    struct explorer x;
    struct hd_search s;

    (void)state;
    explorer_open(&x, &prog_abba, "pct", -1, 1);
    x.arena.used = 0;
    memset(x.arena.base, 0, 4096);
    x.cfg.params = "d=three";
    assert_false(hd_search_open(&s, x.ops, &x.cfg, &x.campaign, &x.exec));
    explorer_close(&x);
}

static void add_trace(struct explorer *x, void *ctx)
{
    *(uint64_t *)ctx += hd_hash_mix(1, x->exec.trace_hash);
}

/* Every worker takes its share of the indices: together they run what one would. */
static void random_searches_are_divided_by_index(void **state)
{
    static const char *const spec[] = { "random", "pos" };

    (void)state;
    for (size_t s = 0; s < COUNT_OF(spec); s++) {
        uint64_t alone = 0, together = 0;
        struct explorer x;

        explorer_open(&x, &prog_many_adds, spec[s], -1, 5);
        x.seen = add_trace;
        x.ctx = &alone;
        explorer_all(&x, 30);
        explorer_close(&x);
        for (uint32_t w = 0; w < 3; w++) {
            explorer_open_worker(&x, &prog_many_adds, spec[s], -1, 5, NULL, NULL, w, 3);
            x.seen = add_trace;
            x.ctx = &together;
            explorer_all(&x, 10);
            explorer_close(&x);
        }
        assert_true(alone == together);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(totals_add_up),
        cmocka_unit_test(preemptions_are_counted),
        cmocka_unit_test(a_prefix_that_does_not_fit_is_noticed),
        cmocka_unit_test(a_thread_beside_the_prefix_that_differs_is_noticed),
        cmocka_unit_test(a_cut_execution_ends_at_once_and_is_redundant),
        cmocka_unit_test(an_assumption_leaves_executions_out),
        cmocka_unit_test(random_searches_are_divided_by_index),
        cmocka_unit_test(parameters_that_make_no_sense_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
