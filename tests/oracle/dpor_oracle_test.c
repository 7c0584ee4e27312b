/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dpor_oracle_test.c - dpor-optimal explores every class exactly once, dpor misses
 * none, on random programs of every family.  HEDDLE_ORACLE_PROGRAMS sets how many
 * per family (make check-deep: 10,000). */
#include "support/unit.h"

#include <stdlib.h>

#include "oracle/judge.h"

static uint64_t programs(void)
{
    const char *n = getenv("HEDDLE_ORACLE_PROGRAMS");
    const char *deep = getenv("HEDDLE_DEEP");

    if (n != NULL)
        return strtoull(n, NULL, 10);
    return deep != NULL && deep[0] == '1' ? 10000 : 60;
}

/* All families, then the verdict: one that fails should not hide the others. */
static void judge_all(const char *spec, enum judge_goal goal)
{
    const char *only = getenv("HEDDLE_ORACLE_FAMILY");
    uint64_t bad = 0;

    for (enum generate_family f = 0; f < GENERATE_COUNT; f++) {
        struct judgement j = { 0 };

        if (only != NULL && strcmp(only, generate_name(f)) != 0)
            continue;
        judge_family(&j, f, 1, 0, programs(), spec, goal, 2);
        judge_print(&j, generate_name(f), spec);
        fflush(stdout);
        bad += j.missed + j.unknown + j.incomplete + (goal == JUDGE_OPTIMAL ? j.twice + j.redundant : 0);
    }
    EXPECT_EQ(spec, bad, 0);
}

static void optimal_explores_every_class_exactly_once(void **state)
{
    (void)state;
    judge_all("dpor-optimal", JUDGE_OPTIMAL);
}

static void source_sets_miss_no_class(void **state)
{
    (void)state;
    judge_all("dpor", JUDGE_ALL);
}

static void backtrack_sets_miss_no_class(void **state)
{
    (void)state;
    judge_all("dpor-classic", JUDGE_ALL);
    judge_all("dpor-classic:sleep=0", JUDGE_ALL);
}

static void lazy_reduction_misses_no_end(void **state)
{
    (void)state;
    judge_all("dpor-lazy", JUDGE_LAZY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(optimal_explores_every_class_exactly_once),
        cmocka_unit_test(source_sets_miss_no_class),
        cmocka_unit_test(backtrack_sets_miss_no_class),
        cmocka_unit_test(lazy_reduction_misses_no_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
