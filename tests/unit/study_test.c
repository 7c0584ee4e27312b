/* SPDX-License-Identifier: BSD-2-Clause
 *
 * study_test.c - rows of the SCT study's Table A (Thomson 2016) whose programs
 * are small enough to write down: the same numbers, not only the same bugs. */
#include "support/unit.h"

#include "support/compare.h"
#include "support/programs.h"

/* The checker is created first; it fails when both others were before it. */
static const struct program account = { .op = {
    { CREATE(1), CREATE(2), CREATE(3) },
    { LOCK(0), PLAIN_BELOW(0, 2), UNLOCK(0) },
    { LOCK(0), PLAIN_ADD(0, 1), UNLOCK(0) },
    { LOCK(0), PLAIN_ADD(0, 1), UNLOCK(0) },
} };

static const struct program lazy01 = { .op = {
    { CREATE(1), CREATE(2), CREATE(3), JOIN(1), JOIN(2), JOIN(3) },
    { LOCK(0), PLAIN_ADD(0, 1), UNLOCK(0) },
    { LOCK(0), PLAIN_ADD(0, 2), UNLOCK(0) },
    { LOCK(0), PLAIN_BELOW(0, 3), UNLOCK(0) },
} };

/* bound / first / total / new / buggy of a bounded search that finishes the
 * bound of its first bug; dfs: first / total / buggy. */
static const struct {
    const char *name;
    const struct program *program;
    uint64_t ipb[5], idb[5], dfs[3];
} rows[] = {
    { "account", &account, { 0, 3, 6, 6, 2 }, { 1, 3, 5, 4, 1 }, { 3, 28, 4 } },
    { "deadlock01", &prog_abba, { 1, 9, 12, 9, 2 }, { 1, 7, 9, 8, 1 }, { 10, 46, 3 } },
    { "lazy01", &lazy01, { 0, 1, 13, 13, 6 }, { 0, 1, 1, 1, 1 }, { 1, 118, 81 } },
};

static void expect_bounded(const char *name, struct explored e, const uint64_t want[5])
{
    EXPECT_EQ(name, (uint64_t)e.bound, want[0]);
    EXPECT_EQ(name, e.first_buggy, want[1]);
    EXPECT_EQ(name, e.executions, want[2]);
    EXPECT_EQ(name, e.at_bound, want[3]);
    EXPECT_EQ(name, e.buggy_at_bound, want[4]);
}

static void bounded_searches_count_as_the_study(void **state)
{
    (void)state;
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        expect_bounded(rows[r].name, explore_program(rows[r].program, "ipb:finish=1", -1),
                       rows[r].ipb);
        expect_bounded(rows[r].name, explore_program(rows[r].program, "idb:finish=1", -1),
                       rows[r].idb);
    }
}

static void dfs_counts_as_the_study(void **state)
{
    (void)state;
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        struct explored e = explore_program(rows[r].program, "dfs", -1);

        EXPECT_EQ(rows[r].name, e.first_buggy, rows[r].dfs[0]);
        EXPECT_EQ(rows[r].name, e.executions, rows[r].dfs[1]);
        EXPECT_EQ(rows[r].name, e.buggy, rows[r].dfs[2]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounded_searches_count_as_the_study),
        cmocka_unit_test(dfs_counts_as_the_study),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
