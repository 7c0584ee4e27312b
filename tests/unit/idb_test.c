/* SPDX-License-Identifier: BSD-2-Clause
 *
 * idb_test.c - exactly the schedules of each delay count, pass by pass. */
#include "support/unit.h"

#include "support/compare.h"
#include "support/programs.h"

static void random_programs_agree_with_brute_force(void **state)
{
    (void)state;
    compare_random_programs(300, 31, "idb", COMPARE_DELAYS);
}

static void named_programs_agree_with_brute_force(void **state)
{
    (void)state;
    assert_true(compare_with_brute(&prog_fig31, "idb", COMPARE_DELAYS, "fig 3.1") > 0);
    assert_true(compare_with_brute(&prog_abba, "idb", COMPARE_DELAYS, "abba") > 0);
    assert_true(compare_with_brute(&prog_three_adds, "idb", COMPARE_DELAYS, "yields") > 0);
    assert_true(compare_with_brute(&prog_choices, "idb", COMPARE_DELAYS, "choices") > 0);
}

static void figure_3_1_has_4_schedules_up_to_one_delay(void **state)
{
    struct explored e = explore_program(&prog_fig31, "idb", 1);

    (void)state;
    assert_int_equal(e.executions, 4);
    assert_int_equal(e.complete, 1);
}

static void figure_3_2_needs_two_delays(void **state)
{
    (void)state;
    assert_int_equal(explore_program(&prog_fig32, "idb", 1).buggy, 0);
    assert_true(explore_program(&prog_fig32, "idb", 2).buggy > 0);
    assert_int_equal(explore_program(&prog_fig32, "idb:finish=1", -1).bound, 2);
}

/* The study's example: last = 3, enabled {0, 2, 3, 4} of 5: to 2 it is 3 delays. */
static void delays_are_counted_around_the_circle(void **state)
{
    static const bool offered[5] = { true, false, true, true, true };
    static const struct { unsigned to, want; } rows[] = { { 3, 0 }, { 4, 1 }, { 0, 2 }, { 2, 3 } };
    static unsigned char memory[4096] __attribute__((aligned(64)));
    struct hd_arena arena = { memory, UINT64_C(1) << 40, 0 };
    const struct hd_strategy_ops *idb = hd_strategy_find("idb");
    struct hd_decision decisions[1];
    struct hd_strategy_cfg cfg = { .bound = -1, .params = "", .arena = &arena,
                                   .decisions = decisions };
    struct hd_event pending[5] = { { .kind = HD_EV_ATOMIC_LOAD } };
    struct hd_point at = { .nthreads = 5, .last = 3, .last_enabled = true, .pending = pending,
                           .enabled = { .w = { 0x1d } } };
    struct hd_execution done = { .nsteps = 1, .ending = HD_END_CLEAN };
    struct hd_cursor now = { .w = { 0 } };
    void *self = NULL;

    (void)state;
    memset(memory, 0, sizeof memory);
    assert_true(idb->open(&self, &cfg));
    for (unsigned bound = 0, next_row = 0; bound < 4;) {
        struct hd_cursor next = now;
        struct hd_outcome out = { .bound = -1 };
        hd_tid chosen = idb->begin(self, &now, 0) == 0 ? idb->pick(self, &at)
                                                       : decisions[0].chosen;

        idb->end(self, &done, &now, &next, &out);
        bound = (unsigned)out.bound;
        if (!out.redundant) {
            assert_int_equal(chosen, rows[next_row].to);
            assert_int_equal(bound, rows[next_row].want);
            assert_int_equal(brute_delays(offered, 5, 3, chosen), rows[next_row].want);
            next_row++;
        }
        now = next;
        if (out.exhausted) {
            assert_int_equal(next_row, COUNT_OF(rows));
            assert_true(out.complete);
            return;
        }
    }
    fail_msg("not exhausted after 3 delays");
}

static uint64_t schedules(const struct program *p, const char *spec, int64_t bound)
{
    return explore_program(p, spec, bound).executions;
}

/* Up to c delays is contained in up to c preemptions. */
static void delays_bound_preemptions(void **state)
{
    (void)state;
    for (int64_t c = 0; c < 4; c++)
        assert_true(schedules(&prog_fig32, "idb", c) <= schedules(&prog_fig32, "ipb", c));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs_agree_with_brute_force),
        cmocka_unit_test(named_programs_agree_with_brute_force),
        cmocka_unit_test(figure_3_1_has_4_schedules_up_to_one_delay),
        cmocka_unit_test(figure_3_2_needs_two_delays),
        cmocka_unit_test(delays_are_counted_around_the_circle),
        cmocka_unit_test(delays_bound_preemptions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
