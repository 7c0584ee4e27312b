/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dfs_test.c - every interleaving, once. */
#include "support/unit.h"

#include "support/compare.h"
#include "support/programs.h"

/* Main creates all threads at once and is done: only their steps interleave. */
static void straight_line_threads_interleave_multinomially(void **state)
{
    static const struct {
        const char *name;
        unsigned steps[3];
        uint64_t want;
    } rows[] = {
        { "one thread only", { 3, 0, 0 }, 1 },
        { "one step each", { 1, 1, 0 }, 2 },
        { "two against two", { 2, 2, 0 }, 6 },
        { "three against four", { 3, 4, 0 }, 35 },
        { "three of two", { 2, 2, 2 }, 90 },
        { "three of three", { 3, 3, 3 }, 1680 },
    };

    (void)state;
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        struct program p = { .op = { { CREATE_ALL(1, 3) } } };

        for (unsigned t = 0; t < 3; t++)
            for (unsigned i = 0; i < rows[r].steps[t]; i++)
                p.op[t + 1][i] = (struct prog_op)WRITE(0, 1);
        struct explored e = explore_program(&p, "dfs", -1);

        EXPECT_EQ(rows[r].name, e.executions, rows[r].want);
        EXPECT_EQ(rows[r].name, e.complete, 1);
        EXPECT_EQ(rows[r].name, e.buggy, 0);
    }
}

static const struct {
    const char *name;
    const struct program *program;
} named[] = {
    { "fig 3.1", &prog_fig31 },
    { "fig 3.2", &prog_fig32 },
    { "two locks in opposite order", &prog_abba },
    { "yields", &prog_three_adds },
    { "choices", &prog_choices },
};

static void named_programs_agree_with_brute_force(void **state)
{
    (void)state;
    for (size_t r = 0; r < COUNT_OF(named); r++)
        if (compare_with_brute(named[r].program, "dfs", COMPARE_NO_COST, named[r].name) == 0)
            fail_msg("%s: too large", named[r].name);
}

static void random_programs_agree_with_brute_force(void **state)
{
    (void)state;
    compare_random_programs(400, 11, "dfs", COMPARE_NO_COST);
}

/* Two choices in a single thread: all 3 * 2 combinations. */
static void choices_branch(void **state)
{
    static const struct program p = { .op = { { CHOOSE(3, 0), WRITE(1, 1), CHOOSE(2, 0),
                                                ASSERT_BELOW(0, 3) } } };
    struct explored e = explore_program(&p, "dfs", -1);

    (void)state;
    assert_int_equal(e.executions, 6);
    assert_int_equal(e.buggy, 1);
    assert_int_equal(e.first_buggy, 6);
}

static void the_first_execution_is_round_robin_without_preemption(void **state)
{
    static const hd_tid want[] = { 0, 1, 1, 2, 2 };
    struct explorer x;

    (void)state;
    explorer_open(&x, &prog_two_by_two, "dfs", -1, 1);
    explorer_all(&x, 1);
    assert_int_equal(x.exec.nsteps, COUNT_OF(want));
    for (size_t i = 0; i < COUNT_OF(want); i++)
        assert_int_equal(x.exec.decisions[i].chosen, want[i]);
    assert_int_equal(x.exec.preemptions, 0);
    explorer_close(&x);
}

static void the_bound_is_ignored(void **state)
{
    (void)state;
    assert_int_equal(explore_program(&prog_fig31, "dfs", 0).executions,
                     explore_program(&prog_fig31, "dfs", -1).executions);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_line_threads_interleave_multinomially),
        cmocka_unit_test(named_programs_agree_with_brute_force),
        cmocka_unit_test(random_programs_agree_with_brute_force),
        cmocka_unit_test(choices_branch),
        cmocka_unit_test(the_first_execution_is_round_robin_without_preemption),
        cmocka_unit_test(the_bound_is_ignored),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
