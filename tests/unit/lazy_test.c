/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lazy_test.c - when lazy reduction is given up, and for which mutexes it is not used.
 * What it explores is the oracle's business. */
#include "support/unit.h"

#include "support/explorer.h"
#include "support/programs.h"

static struct hd_totals explore(const struct program *p, const char *spec)
{
    struct explorer x;

    explorer_open(&x, p, spec, -1, 1);
    explorer_all(&x, UINT64_MAX);
    struct hd_totals t = *explorer_totals(&x);

    explorer_close(&x);
    return t;
}

/* Critical sections that commute, and an operation that rules out the lazy reduction. */
static const struct {
    const char *name;
    struct program p;
    enum hd_fallback want;
} rows[] = {
    { "nothing", { .start = 2, .op = { { LOCK(0), ADD(0, 1), UNLOCK(0) },
                                       { LOCK(0), ADD(1, 1), UNLOCK(0) } } }, HD_FALLBACK_NONE },
    { "nested, always in the same order",
      { .start = 2, .op = { { LOCK(0), LOCK(1), UNLOCK(1), UNLOCK(0) },
                            { LOCK(0), ADD(1, 1), UNLOCK(0) } } }, HD_FALLBACK_BLOCKS },
    { "nested, deadlock", { .start = 2, .op = { { LOCK(0), LOCK(1), UNLOCK(1), UNLOCK(0) },
                                                { LOCK(1), LOCK(0), UNLOCK(0), UNLOCK(1) } } },
      HD_FALLBACK_BLOCKS },
    { "join inside", { .op = { { CREATE(1), LOCK(0), JOIN(1), UNLOCK(0) },
                               { LOCK(0), UNLOCK(0) } } }, HD_FALLBACK_BLOCKS },
    { "wait with another mutex held",
      { .start = 2, .op = { { LOCK(1), LOCK(0), WAIT(0, 0), UNLOCK(0), UNLOCK(1) },
                            { SIGNAL(0) } } }, HD_FALLBACK_BLOCKS },
    { "never released", { .start = 2, .op = { { LOCK(0), ADD(0, 1) },
                                              { LOCK(0), ADD(1, 1), UNLOCK(0) } } },
      HD_FALLBACK_HELD },
    { "wait with its own mutex",
      { .start = 2, .op = { { LOCK(0), WAIT(0, 0), UNLOCK(0) },
                            { LOCK(0), SIGNAL(0), UNLOCK(0) } } }, HD_FALLBACK_NONE },
};

static void sections_that_may_block_are_given_up(void **state)
{
    (void)state;
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        struct hd_totals lazy = explore(&rows[r].p, "dpor-lazy");
        struct hd_totals dpor = explore(&rows[r].p, "dpor");

        EXPECT_EQ(rows[r].name, lazy.fallback, rows[r].want);
        EXPECT_EQ(rows[r].name, lazy.complete, 1);
        if (rows[r].want != HD_FALLBACK_NONE)
            EXPECT_EQ(rows[r].name, lazy.executions, dpor.executions);
        else
            assert_true(lazy.executions <= dpor.executions);
        EXPECT_EQ(rows[r].name, lazy.begun, lazy.executions + lazy.redundant);
    }
}

/* Two sections that commute have two orders once their mutex is tried somewhere. */
static void a_mutex_that_is_tried_is_ordinary(void **state)
{
    struct program p = { .start = 3, .op = { { LOCK(0), ADD(0, 1), UNLOCK(0) },
                                             { LOCK(0), ADD(1, 1), UNLOCK(0) }, { READ(2) } } };

    (void)state;
    EXPECT_EQ("not tried", explore(&p, "dpor-lazy").executions, 1);
    p.op[2][0] = (struct prog_op){ OP_TRYLOCK, 0, 0, 0 };
    p.op[2][1] = (struct prog_op)SKIP_NE(1, 1);
    p.op[2][2] = (struct prog_op)UNLOCK(0);
    struct hd_totals t = explore(&p, "dpor-lazy");

    EXPECT_EQ("tried", t.executions, explore(&p, "dpor-optimal").executions);
    EXPECT_EQ("tried", t.fallback, HD_FALLBACK_NONE);
    assert_true(t.redundant > 0); /* the first pass */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_that_may_block_are_given_up),
        cmocka_unit_test(a_mutex_that_is_tried_is_ordinary),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
