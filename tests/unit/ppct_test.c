/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ppct_test.c - the low set, the walk of the others, and the promised probability. */
#include "support/unit.h"

#include "support/explorer.h"
#include "support/programs.h"

/* Depth 1: one order of two steps.  Depth 2: a step between two others.  Depth 3: a
 * step between two others and one after both. */
static const struct program depth1 = { .op = {
    { CREATE_ALL(1, 2) }, { WRITE(0, 1), READ(1) }, { ASSERT_BELOW(0, 1) },
} };
static const struct program depth2 = { .op = {
    { CREATE_ALL(1, 2) }, { READ(1), WRITE(0, 1), WRITE(0, 0), READ(1) }, { ASSERT_BELOW(0, 1) },
} };
static const struct program depth3 = { .op = {
    { CREATE_ALL(1, 2) },
    { WRITE(0, 1), WRITE(0, 2) },
    { READ(0), SKIP_NE(3, 1), READ(0), SKIP_NE(1, 2), ASSERT_BELOW(1, 0) },
} };

/* The same, out of reach of a random walk: the second thread to fall must stay below
 * the first, so the label counts, not the moment. */
static const struct program far3 = { .op = {
    { CREATE_ALL(1, 2) },
    { READ(2), READ(2), READ(2), READ(2), READ(2), READ(2), READ(2), READ(2), READ(2), READ(2),
      READ(0), SKIP_NE(3, 1), READ(0), SKIP_NE(1, 2), ASSERT_BELOW(1, 0) },
    { WRITE(0, 1), WRITE(0, 2) },
} };

static const struct {
    const char *name;
    const struct program *program;
    unsigned depth;
} bugs[] = { { "depth 1", &depth1, 1 }, { "depth 2", &depth2, 2 }, { "depth 3", &depth3, 3 },
             { "depth 3, far", &far3, 3 } };

static const char *const strategies[] = { "ppct", "pct" };

/* 1/(n k^(d-1)), with a tenth for chance: three standard deviations or more where the
 * strategy does no better than promised. */
static void bugs_are_found_as_often_as_promised(void **state)
{
    (void)state;
    for (size_t r = 0; r < COUNT_OF(bugs); r++)
        for (unsigned extra = 0; extra < (bugs[r].depth < 3 ? 2u : 1u); extra++)
            for (size_t s = 0; s < COUNT_OF(strategies); s++) {
                struct explorer x;
                char spec[32];
                unsigned d = bugs[r].depth + extra;
                const uint64_t runs = d < 3 ? 40000 : 700000;

                snprintf(spec, sizeof spec, "%s:d=%u", strategies[s], d);
                explorer_open(&x, bugs[r].program, spec, -1, 5);
                explorer_all(&x, runs);
                const struct hd_totals *t = explorer_totals(&x);
                double promised = 1.0 / (double)t->threads_max;

                for (unsigned i = 1; i < d; i++)
                    promised /= (double)t->cursor.w[0];
                if ((double)t->buggy < 0.9 * promised * (double)runs)
                    fail_msg("%s, %s: %llu of %llu", bugs[r].name, spec,
                             (unsigned long long)t->buggy, (unsigned long long)runs);
                explorer_close(&x);
            }
}

/* Without change points: the random walk of three threads of two steps, given how
 * many steps each has left, ends with both steps of the last thread. */
static double walk_ends_with_third(unsigned a, unsigned b)
{
    unsigned alive = (a > 0) + (b > 0) + 1;
    double p = 0;

    if (a == 0 && b == 0)
        return 1;
    if (a > 0)
        p += walk_ends_with_third(a - 1, b) / alive;
    if (b > 0)
        p += walk_ends_with_third(a, b - 1) / alive;
    return p;
}

static void count_third_last(struct explorer *x, void *ctx)
{
    const struct hd_decision *d = x->exec.decisions;

    *(unsigned *)ctx += d[5].chosen == 3 && d[6].chosen == 3;
}

/* Each of the four threads is the low one with probability 1/4.  If it is T3, T3 comes
 * last; if it is T1 or T2, that one does; if it is main, which is done by then, the
 * three walk. */
static void one_thread_waits_and_the_others_walk(void **state)
{
    static const struct program p = { .op = {
        { CREATE_ALL(1, 3) }, { READ(0), READ(0) }, { READ(0), READ(0) }, { READ(0), READ(0) },
    } };
    double want = 0.25 + 0.25 * walk_ends_with_third(2, 2);
    unsigned third_last = 0;
    struct explorer x;

    (void)state;
    explorer_open(&x, &p, "ppct:d=1", -1, 2);
    explorer_all(&x, 1); /* teaches the number of threads */
    x.seen = count_third_last;
    x.ctx = &third_last;
    explorer_all(&x, 20001);
    /* a standard deviation is below 64 */
    assert_in_range(third_last, (unsigned)(20000 * want) - 320, (unsigned)(20000 * want) + 320);
    explorer_close(&x);
}

static void an_execution_is_repeatable(void **state)
{
    uint64_t hash[2];

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct explorer x;

        explorer_open(&x, &prog_three_adds, "ppct", -1, 9);
        explorer_all(&x, 50);
        hash[i] = explorer_totals(&x)->trace_hash;
        explorer_close(&x);
    }
    assert_true(hash[0] == hash[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bugs_are_found_as_often_as_promised),
        cmocka_unit_test(one_thread_waits_and_the_others_walk),
        cmocka_unit_test(an_execution_is_repeatable),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
