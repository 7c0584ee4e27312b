/* SPDX-License-Identifier: BSD-2-Clause
 *
 * judge_test.c - the judge finds strategies that claim too much. */
#include "support/unit.h"

#include "oracle/judge.h"

#define PROGRAMS 50

static struct judgement judged(const struct judge_claim *c)
{
    struct judgement j = { 0 };

    judge_family(&j, GENERATE_COND, 10, 0, PROGRAMS, c, 1, 0);
    EXPECT_EQ(c->spec, j.programs, PROGRAMS);
    EXPECT_EQ(c->spec, j.unknown, 0);
    return j;
}

/* Every row is false, and what shows it. */
static void false_promises_are_broken(void **state)
{
    static const struct {
        struct judge_claim claim;
        size_t shown_by; /* offset in struct judgement */
    } rows[] = {
        { { "idb", JUDGE_CLASSES, JUDGE_PREEMPTIONS, 1 }, offsetof(struct judgement, missed) },
        { { "idb", JUDGE_LAZY, JUDGE_PREEMPTIONS, 1 }, offsetof(struct judgement, missed_lazy) },
        { { "idb", JUDGE_STATES, JUDGE_PREEMPTIONS, 1 }, offsetof(struct judgement, missed_states) },
        { { "ipb", JUDGE_EXACT, JUDGE_DELAYS, 1 }, offsetof(struct judgement, beyond) },
        { { "dfs", JUDGE_EXACT, JUDGE_PREEMPTIONS, 0 }, offsetof(struct judgement, beyond) },
        { { "dfs", JUDGE_ONCE, JUDGE_UNBOUNDED, 0 }, offsetof(struct judgement, twice) },
        { { "ipb", JUDGE_LEAN, JUDGE_UNBOUNDED, 0 }, offsetof(struct judgement, redundant) },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct judgement j = judged(&rows[i].claim);

        if (j.broken == 0 || *(uint64_t *)((char *)&j + rows[i].shown_by) == 0)
            fail_msg("row %zu: %s keeps its false promise", i, rows[i].claim.spec);
    }
}

/* What one has missed shows only if it was promised; a schedule of few delays has as few
 * preemptions. */
static void true_promises_are_kept(void **state)
{
    static const struct judge_claim rows[] = {
        { "idb", 0, JUDGE_PREEMPTIONS, 1 },
        { "ipb", JUDGE_CLASSES | JUDGE_LAZY | JUDGE_STATES, JUDGE_DELAYS, 1 },
        { "ipb", JUDGE_CLASSES, JUDGE_UNBOUNDED, 0 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        EXPECT_EQ(rows[i].spec, judged(&rows[i]).broken, 0);
}

/* Sampling does not end by itself, and does not say that it was complete. */
static void who_does_not_finish_breaks_promises_unless_that_was_said(void **state)
{
    static const struct judge_claim sampling[] = {
        { "random", 0, JUDGE_UNBOUNDED, 0 },
        { "random", JUDGE_ONCE | JUDGE_HONEST, JUDGE_UNBOUNDED, 0 },
    };
    struct judgement j[2] = { 0 };

    (void)state;
    judge_family(j, GENERATE_ONCE, 10, 0, 1, sampling, 2, 0);
    for (unsigned i = 0; i < 2; i++) {
        EXPECT_EQ("random", j[i].incomplete, 1);
        EXPECT_EQ("random", j[i].broken, i == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(false_promises_are_broken),
        cmocka_unit_test(true_promises_are_kept),
        cmocka_unit_test(who_does_not_finish_breaks_promises_unless_that_was_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
