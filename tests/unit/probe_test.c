/* SPDX-License-Identifier: BSD-2-Clause
 *
 * probe_test.c - random descents measure the trees that dfs walks through. */
#include "support/unit.h"

#include <math.h>

#include "search/sample/probe.h"
#include "support/explorer.h"
#include "support/programs.h"

static uint64_t size_by_dfs(const struct program *p, uint64_t limit)
{
    struct explorer x;

    explorer_open(&x, p, "dfs", -1, 1);
    explorer_all(&x, limit);
    uint64_t n = explorer_totals(&x)->exhausted ? explorer_totals(&x)->begun : 0;

    explorer_close(&x);
    return n;
}

static struct hd_probe_sums probe(const struct program *p, uint64_t seed, uint64_t n)
{
    struct explorer x;

    explorer_open(&x, p, "probe", -1, seed);
    explorer_all(&x, n);
    struct hd_probe_sums s = hd_probe_sums(&explorer_totals(&x)->cursor);

    assert_int_equal(s.n, n);
    explorer_close(&x);
    return s;
}

/* One descent is enough where all of them see the same. */
static void uniform_trees_are_measured_exactly(void **state)
{
    static const struct {
        struct program p;
        double size;
    } rows[] = {
        { { .op = { { CREATE_ALL(1, 3) }, { READ(0) }, { READ(0) }, { READ(0) } } }, 6 },
        { { .op = { { CHOOSE(3, 0), CHOOSE(5, 0), READ(0) } } }, 15 },
        { { .op = { { READ(0), READ(0) } } }, 1 },
    };

    (void)state;
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        struct hd_probe_sums s = probe(&rows[r].p, 5, 7);

        assert_true(s.exponent == 0 && s.sum == 7 * rows[r].size &&
                    s.squares == 7 * rows[r].size * rows[r].size);
    }
}

/* Means of many descents, over many seeds, lie around the true size: within three
 * standard errors but for the one in 370 that chance allows, which 60 rows will
 * hardly show twice. */
static void the_mean_is_the_size(void **state)
{
    const uint64_t seeds = 40, probes = 250;
    unsigned rows = 0, outside = 0;

    (void)state;
    for (uint64_t i = 0; rows < 60; i++) {
        struct hd_rng rng = hd_rng_for(11, i);
        struct program p;
        double sum = 0, squares = 0, n = (double)(seeds * probes);

        prog_random(&p, &rng);
        uint64_t size = size_by_dfs(&p, 100000);

        if (size < 10)
            continue;
        for (uint64_t seed = 0; seed < seeds; seed++) {
            struct hd_probe_sums s = probe(&p, seed * 1000 + i, probes);

            sum += ldexp(s.sum, (int)s.exponent);
            squares += ldexp(s.squares, 2 * (int)s.exponent);
        }
        double error = sqrt((squares / n - sum / n * (sum / n)) / (n - 1));
        double off = fabs(sum / n - (double)size);

        if (off > 4 * error + 1e-9)
            fail_msg("program %llu: %g instead of %llu, standard error %g", (unsigned long long)i,
                     sum / n, (unsigned long long)size, error);
        outside += off > 3 * error + 1e-9;
        rows++;
    }
    assert_true(outside <= 1);
}

/* A thousand choices of three: beyond any double. */
static void trees_of_any_size_can_be_measured(void **state)
{
    static unsigned char memory[4096] __attribute__((aligned(64)));
    struct hd_arena arena = { memory, sizeof memory, 0 };
    struct hd_strategy_cfg cfg = { .seed = 1, .params = "", .arena = &arena };
    const struct hd_strategy_ops *ops = hd_strategy_find("probe");
    struct hd_cursor now = { .w = { 0 } }, next;
    struct hd_execution done = { .ending = HD_END_CLEAN };
    struct hd_outcome out;
    void *self = NULL;

    (void)state;
    assert_true(ops->open(&self, &cfg));
    for (int i = 0; i < 3; i++) {
        next = now;
        ops->begin(self, &now, (uint64_t)i);
        for (int k = 0; k < (i == 1 ? 1000 : 10); k++)
            ops->choose(self, NULL, 3);
        ops->end(self, &done, &now, &next, &out);
        now = next;
    }
    struct hd_probe_sums s = hd_probe_sums(&now);

    /* 3^1000 = 2^1584.96; the two of 3^10 vanish beside it */
    assert_int_equal(s.n, 3);
    assert_true(fabs(log2(s.sum) + (double)s.exponent - 1584.9625) < 1e-4);
    assert_true(fabs(log2(s.squares) + 2 * (double)s.exponent - 2 * 1584.9625) < 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_trees_are_measured_exactly),
        cmocka_unit_test(the_mean_is_the_size),
        cmocka_unit_test(trees_of_any_size_can_be_measured),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
