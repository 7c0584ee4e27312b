/* SPDX-License-Identifier: BSD-2-Clause
 *
 * deepening_test.c - the rules for jobs over sets of scheduling points (J1 to J5). */
#include "support/unit.h"

#include "campaign/search/deepening.h"
#include "model/point_class.h"

enum { BASE = HD_POINT_THREAD, LOCK = BASE | HD_POINT_LOCK, UNLOCK = BASE | HD_POINT_UNLOCK,
       BOTH = LOCK | UNLOCK };

static const struct hd_deep_time enough = { 3600, 1800 };

static int find(const struct hd_job_list *d, uint32_t classes, uint64_t places)
{
    for (unsigned i = 0; i < d->n; i++)
        if (d->job[i].set.classes == classes && d->job[i].set.places == places)
            return (int)i;
    return -1;
}

static void start(struct hd_job_list *d)
{
    memset(d, 0, sizeof *d);
    hd_deepening_seed(d, BASE, HD_POINT_LOCK | HD_POINT_UNLOCK);
}

/* J1: as in the original: nothing, lock, unlock, both. */
static void the_first_jobs(void **state)
{
    struct hd_job_list d;

    (void)state;
    start(&d);
    EXPECT_EQ("jobs", d.n, 4);
    assert_true(find(&d, BASE, 0) >= 0 && find(&d, LOCK, 0) >= 0 && find(&d, UNLOCK, 0) >= 0 && find(&d, BOTH, 0) >= 0);
    hd_deepening_seed(&d, BASE, HD_POINT_LOCK);
    EXPECT_EQ("jobs after nothing new", d.n, 4);
    hd_deepening_seed(&d, BASE, HD_POINT_ATOMIC);
    EXPECT_EQ("jobs with a new class: it alone, and all", d.n, 6);
}

/* J2. */
static void a_race_makes_a_small_and_a_big_job(void **state)
{
    struct hd_job_list d;

    (void)state;
    start(&d);
    int lock = find(&d, LOCK, 0);

    hd_deepening_met(&d, (unsigned)lock, 1);
    int small = find(&d, BASE, 1), big = find(&d, LOCK, 1);

    assert_true(small >= 0 && big >= 0);
    assert_true(d.job[small].small && !d.job[big].small);
    EXPECT_EQ("jobs", d.n, 6);
    hd_deepening_met(&d, (unsigned)lock, 1);
    EXPECT_EQ("jobs after the same race", d.n, 6);
    hd_deepening_met(&d, (unsigned)small, 2);
    EXPECT_EQ("jobs after a race in a small job", d.n, 6);
    hd_deepening_met(&d, (unsigned)big, 3);
    assert_true(find(&d, LOCK, 3) >= 0);
    EXPECT_EQ("jobs after another one in the big job", d.n, 8);
}

/* J3: nothing unexplored first, then places, then locks, then unlocks; small sets first. */
static void the_order_of_jobs(void **state)
{
    struct hd_job_list d;

    (void)state;
    start(&d);
    EXPECT_EQ("first", hd_deepening_next(&d), find(&d, BASE, 0));
    hd_deepening_over(&d, (unsigned)find(&d, BASE, 0), HD_JOB_COMPLETE);
    EXPECT_EQ("then", hd_deepening_next(&d), find(&d, LOCK, 0));
    hd_deepening_met(&d, (unsigned)find(&d, LOCK, 0), 1);
    EXPECT_EQ("a place before a lock", hd_deepening_next(&d), find(&d, BASE, 1));
    hd_deepening_over(&d, (unsigned)find(&d, BASE, 1), HD_JOB_COMPLETE);
    EXPECT_EQ("a small job explores nothing", hd_deepening_next(&d), find(&d, LOCK, 1));
    hd_deepening_over(&d, (unsigned)find(&d, LOCK, 1), HD_JOB_COMPLETE);
    EXPECT_EQ("a part of it is covered", d.job[find(&d, LOCK, 0)].state, HD_JOB_COVERED);
    EXPECT_EQ("only unlocks are left", hd_deepening_next(&d), find(&d, UNLOCK, 0));
}

/* J3: both orders are possible, so the race is more than an order that nobody has proved. */
static void places_that_race_in_both_orders_come_first(void **state)
{
    struct hd_job_list d;

    (void)state;
    start(&d);
    hd_deepening_met(&d, (unsigned)find(&d, LOCK, 0), 3);
    hd_deepening_over(&d, (unsigned)find(&d, BASE, 0), HD_JOB_COMPLETE);
    EXPECT_EQ("equal: the first one", hd_deepening_next(&d), find(&d, BASE, 1));
    d.both_orders = 2;
    EXPECT_EQ("the one with both orders", hd_deepening_next(&d), find(&d, BASE, 2));
    hd_deepening_over(&d, (unsigned)find(&d, BASE, 2), HD_JOB_COMPLETE);
    EXPECT_EQ("its big job before the other place", hd_deepening_next(&d), find(&d, LOCK, 2));
}

/* J4. */
static void suspension(void **state)
{
    struct hd_job_list d;

    (void)state;
    start(&d);
    int lock = find(&d, LOCK, 0), unlock = find(&d, UNLOCK, 0);

    d.job[lock].state = HD_JOB_RUNNING;
    d.job[lock].executions = 32;
    d.job[lock].left = 3601;
    assert_true(hd_deepening_suspends(&d, (unsigned)lock, enough));
    d.job[lock].left = 3600; /* twice the rest is not too long */
    assert_false(hd_deepening_suspends(&d, (unsigned)lock, enough));
    d.job[lock].left = 3601;
    d.job[lock].executions = 31; /* the estimate is not sure yet */
    assert_false(hd_deepening_suspends(&d, (unsigned)lock, enough));
    d.job[lock].executions = 32;
    assert_false(hd_deepening_suspends(&d, (unsigned)lock, (struct hd_deep_time){ 3600, 60 }));
    d.job[find(&d, BASE, 0)].state = HD_JOB_COMPLETE;
    d.job[unlock].state = HD_JOB_COMPLETE; /* only what contains it is left */
    assert_false(hd_deepening_suspends(&d, (unsigned)lock, enough));
    d.job[unlock].state = HD_JOB_PENDING;
    d.job[lock].state = HD_JOB_SUSPENDED;
    EXPECT_EQ("next", hd_deepening_next(&d), unlock);
    d.job[unlock].state = HD_JOB_SUSPENDED;
    d.job[unlock].left = 100;
    EXPECT_EQ("what contains a suspended set does not begin: the shorter one goes on", hd_deepening_next(&d), unlock);
    d.job[find(&d, BOTH, 0)].state = HD_JOB_SUSPENDED;
    d.job[find(&d, BOTH, 0)].left = 50;
    EXPECT_EQ("an estimate below that of a part is not trusted", hd_deepening_next(&d), unlock);
}

/* J5. */
static void a_bug_cancels_what_contains_it(void **state)
{
    struct hd_job_list d;

    (void)state;
    start(&d);
    hd_deepening_over(&d, (unsigned)find(&d, LOCK, 0), HD_JOB_BUGGY);
    EXPECT_EQ("both", d.job[find(&d, BOTH, 0)].state, HD_JOB_CANCELLED);
    EXPECT_EQ("unlock", d.job[find(&d, UNLOCK, 0)].state, HD_JOB_PENDING);
    hd_deepening_met(&d, (unsigned)find(&d, LOCK, 0), 1);
    assert_true(find(&d, LOCK, 1) < 0 && find(&d, BASE, 1) >= 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_jobs),
        cmocka_unit_test(a_race_makes_a_small_and_a_big_job),
        cmocka_unit_test(the_order_of_jobs),
        cmocka_unit_test(places_that_race_in_both_orders_come_first),
        cmocka_unit_test(suspension),
        cmocka_unit_test(a_bug_cancels_what_contains_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
