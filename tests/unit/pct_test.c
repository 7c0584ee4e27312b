/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pct_test.c - priorities, change points, yields, and the promised probability. */
#include "support/unit.h"

#include "support/explorer.h"
#include "support/programs.h"

static const char *const variants[] = { "", ",demote=1" };

struct limits {
    unsigned preemptions_max;
};

static void note_preemptions(struct explorer *x, void *ctx)
{
    struct limits *l = ctx;

    if (x->exec.preemptions > l->preemptions_max)
        l->preemptions_max = x->exec.preemptions;
}

/* Nothing becomes enabled late in this program, so only change points preempt. */
static void a_depth_of_d_preempts_d_minus_1_times(void **state)
{
    (void)state;
    for (unsigned d = 1; d <= 3; d++)
        for (size_t v = 0; v < COUNT_OF(variants); v++) {
            struct limits l = { 0 };
            struct explorer x;
            char spec[32];

            snprintf(spec, sizeof spec, "pct:d=%u%s", d, variants[v]);
            explorer_open(&x, &prog_two_by_two, spec, -1, 1);
            x.seen = note_preemptions;
            x.ctx = &l;
            explorer_all(&x, 3000);
            EXPECT_EQ(spec, l.preemptions_max, d - 1);
            explorer_close(&x);
        }
}

/* Depth 1: one order of two steps.  Depth 2: a step between two others. */
static const struct program depth1 = { .op = {
    { CREATE_ALL(1, 2) }, { WRITE(0, 1), READ(1) }, { ASSERT_BELOW(0, 1) },
} };
static const struct program depth2 = { .op = {
    { CREATE_ALL(1, 2) }, { READ(1), WRITE(0, 1), WRITE(0, 0), READ(1) }, { ASSERT_BELOW(0, 1) },
} };

static const struct {
    const char *name;
    const struct program *program;
    unsigned depth;
} bugs[] = { { "depth 1", &depth1, 1 }, { "depth 2", &depth2, 2 } };

static void bugs_are_found_as_often_as_promised(void **state)
{
    (void)state;
    for (size_t r = 0; r < COUNT_OF(bugs); r++)
        for (unsigned extra = 0; extra < 2; extra++)
            for (size_t v = 0; v < COUNT_OF(variants); v++) {
                struct explorer x;
                char spec[32];
                const uint64_t runs = 20000;

                snprintf(spec, sizeof spec, "pct:d=%u%s", bugs[r].depth + extra, variants[v]);
                explorer_open(&x, bugs[r].program, spec, -1, 5);
                explorer_all(&x, runs);
                const struct hd_totals *t = explorer_totals(&x);
                double promised = 1.0 / (double)t->threads_max;

                for (unsigned i = 1; i < bugs[r].depth + extra; i++)
                    promised /= (double)t->cursor.w[0];
                if ((double)t->buggy < 0.9 * promised * (double)runs)
                    fail_msg("%s, %s: %llu of %llu", bugs[r].name, spec,
                             (unsigned long long)t->buggy, (unsigned long long)runs);
                explorer_close(&x);
            }
}

static void a_bug_of_depth_2_is_beyond_depth_1(void **state)
{
    struct explorer x;

    (void)state;
    explorer_open(&x, &depth2, "pct:d=1", -1, 5);
    explorer_all(&x, 3000);
    assert_int_equal(explorer_totals(&x)->buggy, 0);
    explorer_close(&x);
}

/* Under depth 1 the two children run one after the other, in both orders alike. */
static void count_first(struct explorer *x, void *ctx)
{
    ((unsigned *)ctx)[x->exec.decisions[1].chosen]++;
}

static void initial_priorities_are_a_random_order(void **state)
{
    static const struct program p = { .op = {
        { CREATE_ALL(1, 3) }, { READ(0), READ(0) }, { READ(0), READ(0) }, { READ(0), READ(0) },
    } };

    (void)state;
    for (size_t v = 0; v < COUNT_OF(variants); v++) {
        unsigned first[PROG_THREADS] = { 0 };
        struct explorer x;
        char spec[32];

        snprintf(spec, sizeof spec, "pct:d=1%s", variants[v]);
        explorer_open(&x, &p, spec, -1, 2);
        x.seen = count_first;
        x.ctx = first;
        explorer_all(&x, 30000);
        for (int t = 1; t <= 3; t++)
            assert_in_range(first[t], 9600, 10400);
        explorer_close(&x);
    }
}

/* Thread 1 stands before its yield: all of thread 2 comes first. */
static void expect_yielder_last(struct explorer *x, void *ctx)
{
    (void)ctx;
    /* main, then in either order the yield and the two writes of T2: what T1 does
     * after the yield comes last. */
    assert_int_equal(x->exec.decisions[4].chosen, 1);
}

static void a_yield_lowers_below_everything(void **state)
{
    static const struct program p = { .op = {
        { CREATE_ALL(1, 2) }, { YIELD, WRITE(0, 1) }, { WRITE(0, 2), WRITE(0, 3) },
    } };

    (void)state;
    for (size_t v = 0; v < COUNT_OF(variants); v++) {
        struct explorer x;
        char spec[32];

        snprintf(spec, sizeof spec, "pct:d=1%s", variants[v]);
        explorer_open(&x, &p, spec, -1, 3);
        x.seen = expect_yielder_last;
        explorer_all(&x, 500);
        explorer_close(&x);
    }
}

/* The step of main alone does not count. */
static void the_length_is_learned_from_executions_that_end(void **state)
{
    struct explorer x;

    (void)state;
    explorer_open(&x, &prog_two_by_two, "pct:d=2", -1, 1);
    assert_true(hd_search_begin(&x.search));
    assert_false(explorer_run(&x, 3));
    x.exec.ending = HD_END_TOO_LONG;
    hd_search_end(&x.search);
    assert_int_equal(explorer_totals(&x)->cursor.w[0], 0);
    assert_int_equal(explorer_totals(&x)->too_long, 1);
    explorer_all(&x, 2);
    assert_int_equal(explorer_totals(&x)->cursor.w[0], 4);
    explorer_close(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_depth_of_d_preempts_d_minus_1_times),
        cmocka_unit_test(bugs_are_found_as_often_as_promised),
        cmocka_unit_test(a_bug_of_depth_2_is_beyond_depth_1),
        cmocka_unit_test(initial_priorities_are_a_random_order),
        cmocka_unit_test(a_yield_lowers_below_everything),
        cmocka_unit_test(the_length_is_learned_from_executions_that_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
