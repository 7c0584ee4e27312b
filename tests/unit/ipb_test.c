/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ipb_test.c - exactly the schedules of each preemption count, pass by pass. */
#include "support/unit.h"

#include "support/compare.h"
#include "support/programs.h"

static void random_programs_agree_with_brute_force(void **state)
{
    (void)state;
    compare_random_programs(300, 21, "ipb", COMPARE_PREEMPTIONS);
}

static void named_programs_agree_with_brute_force(void **state)
{
    (void)state;
    assert_true(compare_with_brute(&prog_fig31, "ipb", COMPARE_PREEMPTIONS, "fig 3.1") > 0);
    assert_true(compare_with_brute(&prog_abba, "ipb", COMPARE_PREEMPTIONS, "abba") > 0);
    assert_true(compare_with_brute(&prog_three_adds, "ipb", COMPARE_PREEMPTIONS, "yields") > 0);
    assert_true(compare_with_brute(&prog_choices, "ipb", COMPARE_PREEMPTIONS, "choices") > 0);
}

static void figure_3_1_has_11_schedules_up_to_one_preemption(void **state)
{
    struct explored e = explore_program(&prog_fig31, "ipb", 1);

    (void)state;
    assert_int_equal(e.executions, 11);
    assert_int_equal(e.complete, 1);
    assert_int_equal(e.bound, 1);
}

static void figure_3_2_fails_with_one_preemption(void **state)
{
    (void)state;
    assert_int_equal(explore_program(&prog_fig32, "ipb", 0).buggy, 0);
    assert_true(explore_program(&prog_fig32, "ipb", 1).buggy > 0);
}

static void finish_stops_after_the_bound_of_the_first_bug(void **state)
{
    struct explored stopped = explore_program(&prog_fig31, "ipb:finish=1", -1);
    struct explored bounded = explore_program(&prog_fig31, "ipb", stopped.bound);
    struct explored below = explore_program(&prog_fig31, "ipb", stopped.bound - 1);

    (void)state;
    assert_int_equal(stopped.bound, 1);
    assert_int_equal(stopped.executions, bounded.executions);
    assert_int_equal(stopped.executions, below.executions + stopped.at_bound);
    assert_int_equal(below.buggy, 0);
    assert_int_equal(stopped.buggy, stopped.buggy_at_bound);
    assert_in_range(stopped.first_buggy, below.executions + 1, stopped.executions);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs_agree_with_brute_force),
        cmocka_unit_test(named_programs_agree_with_brute_force),
        cmocka_unit_test(figure_3_1_has_11_schedules_up_to_one_preemption),
        cmocka_unit_test(figure_3_2_fails_with_one_preemption),
        cmocka_unit_test(finish_stops_after_the_bound_of_the_first_bug),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
