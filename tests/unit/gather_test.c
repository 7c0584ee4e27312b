/* SPDX-License-Identifier: BSD-2-Clause
 *
 * gather_test.c - what is said of a search while it runs.  The numbers are worked out by hand. */
#include "support/unit.h"

#include <math.h>
#include <string.h>

#include "campaign/search/gather.h"
#include "campaign/setup/configure.h"
#include "search/core/share.h"

static struct hd_options options;
static struct hd_session session;
static struct hd_findings findings = { .s = &session };
static struct hd_stats stats;

static void begin(const char *strategy, uint32_t jobs)
{
    memset(&session, 0, sizeof session);
    memset(&options, 0, sizeof options);
    assert_true(hd_wires_create(&session.wires, jobs));
    session.o = &options;
    session.program = "./t";
    session.wire = session.wires.wire[0];
    hd_configure_strategy(&session.wire->config, strategy, "");
}

static void look(const struct hd_totals *t, double seconds)
{
    hd_gather_begin(&stats, &session);
    hd_gather(&stats, &findings, t, seconds);
    hd_gather_advice(&stats, &session, t);
}

static void end(void)
{
    hd_wires_destroy(&session.wires);
}

/* Weighted: 500 executions are a quarter of 2,000, and 40 s of 160.  Recursive: 1,040 of which
 * as many count as of the 520 so far; half of them are done, after 40 s. */
static void both_estimates_are_told(void **state)
{
    struct hd_totals t = { .executions = 500, .redundant = 20, .begun = 520, .bound = -1,
                           .explored = 0.25, .tree_size = 1040, .steps_sum = 21000 };

    (void)state;
    begin("dfs", 1);
    look(&t, 40);
    assert_true(stats.estimate_low == 1000 && stats.estimate_high == 2000);
    assert_true(stats.seconds_left_low == 40 && stats.seconds_left_high == 120);
    assert_true(stats.steps_mean == 42 && stats.rate == 13);
    assert_string_equal(stats.estimate_unknown, "");
    t.tree_size = 5200; /* now that is the larger one: 5,000 executions, nine times 40 s left */
    look(&t, 40);
    assert_true(stats.estimate_low == 2000 && stats.estimate_high == 5000);
    assert_true(stats.seconds_left_low == 120 && stats.seconds_left_high == 360);
    end();
}

/* Executions of earlier passes say nothing about the size of this one. */
static void earlier_passes_do_not_count(void **state)
{
    const struct hd_totals t = { .executions = 500, .redundant = 20, .discarded = 480, .begun = 1000,
                                 .bound = -1, .explored = 0.25, .tree_size = 1040, .restarts = 1 };

    (void)state;
    begin("dfs", 1);
    look(&t, 40);
    assert_true(stats.estimate_low == 1000 && stats.estimate_high == 2000);
    assert_int_equal(stats.passes, 2);
    end();
}

static void what_is_not_known_is_not_told(void **state)
{
    struct hd_totals t = { .executions = 500, .begun = 500, .bound = -1, .explored = 0.25,
                           .tree_size = 1040 };

    (void)state;
    begin("dpor-classic", 2);
    t.tree_size = 0;
    look(&t, 40);
    assert_true(isnan(stats.explored) && isnan(stats.estimate_low) && isnan(stats.seconds_left_low));
    assert_string_equal(stats.estimate_unknown, "this strategy does not tell");
    end();
    begin("dfs", 2); /* several workers report one estimate: a quarter of 2,000 */
    hd_share_put(&((struct hd_share *)(void *)session.wires.common->arena.base)->explored, 0.25);
    look(&t, 40);
    assert_true(stats.explored == 0.25 && stats.estimate_low == 2000 && stats.estimate_high == 2000 &&
                stats.seconds_left_low == 120 && stats.seconds_left_high == 120);
    assert_string_equal(stats.estimate_unknown, "");
    end();
    t.tree_size = 1040;
    begin("dfs", 1);
    look(&t, 0.5);
    assert_true(isnan(stats.explored));
    assert_string_equal(stats.estimate_unknown, "too early to tell");
    t.bound = 2;
    look(&t, 40); /* of the bound, a quarter; of all, nothing */
    assert_true(stats.bound == 2 && stats.explored == 0.25 && isnan(stats.estimate_low));
    assert_string_equal(stats.estimate_unknown, "how many bounds follow");
    t.exhausted = 1;
    look(&t, 40);
    assert_true(isnan(stats.explored) && stats.estimate_unknown[0] == '\0');
    end();
}

/* 1,000 of 4,000 executions in 10 s: 30 are left, unless 25 s are all there is. */
static void the_nearer_limit_counts(void **state)
{
    const struct hd_totals t = { .executions = 1000, .begun = 1000, .bound = -1 };

    (void)state;
    begin("surw", 1);
    look(&t, 10);
    assert_true(isnan(stats.limit_seconds_left) && isnan(stats.bound));
    options.executions = 4000;
    look(&t, 10);
    assert_true(stats.limit_seconds_left == 30);
    options.budget_ms = 25000;
    look(&t, 10);
    assert_true(stats.limit_seconds_left == 15);
    look(&t, 26);
    assert_true(stats.limit_seconds_left == 0);
    end();
}

static void races_are_pairs_of_places(void **state)
{
    const struct hd_totals t = { .bound = -1 };

    (void)state;
    begin("random", 1);
    struct hd_race_row *row = session.wires.common->race_rows;

    row[3] = (struct hd_race_row){ 1, 77, HD_RACE_SEEN };
    row[9] = (struct hd_race_row){ 2, 77, HD_RACE_SEEN << 1 }; /* at other memory: not both orders */
    row[12] = (struct hd_race_row){ 3, 88, HD_RACE_BOTH };
    row[13] = (struct hd_race_row){ 4, 88, HD_RACE_SEEN };
    row[20] = (struct hd_race_row){ 5, 99, 0 }; /* a row, and nothing seen yet */
    look(&t, 1);
    assert_int_equal(stats.races, 2);
    assert_int_equal(stats.races_confirmed, 1);
    end();
}

/* Does the advice contain these words, or not? */
static void advises(const struct hd_totals *t, const char *words, bool wanted)
{
    look(t, 10);
    if ((strstr(stats.advice, words) != NULL) != wanted)
        fail_msg("%s: %s", wanted ? "missing" : "unfounded", stats.advice);
}

/* 3/1000; only where executions are alike, and none has failed. */
static void odds_are_told_where_they_hold(void **state)
{
    struct hd_totals t = { .executions = 1000, .begun = 1000, .bound = -1, .threads_max = 2,
                           .steps_max = 10 };

    (void)state;
    begin("random", 1);
    advises(&t, "fails with probability below 0.003,", true);
    advises(&t, "nothing found in 1,000 executions", true);
    t.sites = 1;
    advises(&t, "probability", false);
    t.sites = 0;
    t.buggy = 1;
    advises(&t, "probability", false);
    end();
    t.buggy = 0;
    begin("surw", 1);
    advises(&t, "probability", false);
    end();
    /* depth 3, two threads, ten steps: (1 - 1/200)^1000 = 0.00665 */
    begin("pct", 1);
    t.by_depth = 1000;
    advises(&t, "depth 3 is missed so far with probability at most 0.0067;", true);
    t.choices = 1; /* drawn as well, and the theorem knows nothing of them */
    advises(&t, "probability", false);
    end();
    begin("dpor", 1);
    advises(&t, "it ends by itself", true);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_estimates_are_told),
        cmocka_unit_test(earlier_passes_do_not_count),
        cmocka_unit_test(what_is_not_known_is_not_told),
        cmocka_unit_test(the_nearer_limit_counts),
        cmocka_unit_test(races_are_pairs_of_places),
        cmocka_unit_test(odds_are_told_where_they_hold),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
