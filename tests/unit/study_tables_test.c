/* SPDX-License-Identifier: BSD-2-Clause
 *
 * study_tables_test.c - the numbers in the tables and plots of `heddle study`, computed by
 * hand. */
#include "support/unit.h"

#include <math.h>
#include <unistd.h>

#include "study/sheet.h"

/* ---- statistics ------------------------------------------------------------------------------- */

static void assert_near(double got, double want)
{
    if (fabs(got - want) > 1e-4)
        fail_msg("%.6f is not %.6f", got, want);
}

/* With z = 1.95996: 0 of n is 0 to z^2/(n+z^2); 5 of 10 and 1 of 20 are in textbooks. */
static void wilson_intervals(void **state)
{
    static const struct {
        uint64_t k, n;
        double low, high;
    } rows[] = {
        { 0, 10, 0, 0.27753 },       { 10, 10, 0.72247, 1 }, { 5, 10, 0.23659, 0.76341 },
        { 1, 20, 0.00889, 0.23613 }, { 0, 0, 0, 1 },         { 0, 1, 0, 0.79345 },
        { 19, 20, 0.76387, 0.99111 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct hd_interval w = hd_wilson(rows[i].k, rows[i].n);

        assert_near(w.low, rows[i].low);
        assert_near(w.high, rows[i].high);
    }
}

static void quantiles(void **state)
{
    const double four[] = { 1, 2, 3, 4 }, three[] = { 1, 2, INFINITY }, two[] = { 1, INFINITY };

    (void)state;
    assert_near(hd_quantile(four, 4, 0.5), 2.5);
    assert_near(hd_quantile(four, 4, 0.25), 1.75);
    assert_near(hd_quantile(four, 4, 0), 1);
    assert_near(hd_quantile(four, 4, 1), 4);
    assert_near(hd_quantile(three, 3, 0.5), 2);
    assert_true(isinf(hd_quantile(two, 2, 0.5)));
    assert_near(hd_quantile(two, 1, 0.9), 1);
    const double never[] = { INFINITY, INFINITY };

    assert_true(isinf(hd_quantile(never, 2, 0.5)));
}

/* ---- lists ------------------------------------------------------------------------------------ */

static void strategies_and_seeds(void **state)
{
    struct hd_study_names n;
    struct hd_study_seeds s;
    char error[400];

    (void)state;
    assert_true(hd_study_strategies("dfs,pct:d=3,k=100,random;surw:a=1", &n, error, sizeof error));
    assert_int_equal(n.n, 4);
    assert_string_equal(n.name[0], "dfs");
    assert_string_equal(n.name[1], "pct:d=3,k=100");
    assert_string_equal(n.name[2], "random");
    assert_string_equal(n.name[3], "surw:a=1");
    assert_false(hd_study_strategies("dfs,,pct", &n, error, sizeof error));
    assert_false(hd_study_strategies("", &n, error, sizeof error));
    assert_false(hd_study_strategies("dfs,pct,dfs", &n, error, sizeof error));
    assert_non_null(strstr(error, "'dfs' is there twice"));

    assert_true(hd_study_seeds("20", &s, error, sizeof error));
    assert_true(s.first == 1 && s.n == 20);
    assert_true(hd_study_seeds("5..8", &s, error, sizeof error));
    assert_true(s.first == 5 && s.n == 4);
    assert_true(hd_study_seeds("0..0", &s, error, sizeof error));
    assert_true(s.first == 0 && s.n == 1);
    static const char *const bad[] = { "0", "8..5", "x", "1..", "..3", "1..2..3", "", "5 ", "-1",
                                       "1..18446744073709551615" };

    for (size_t i = 0; i < COUNT_OF(bad); i++)
        if (hd_study_seeds(bad[i], &s, error, sizeof error))
            fail_msg("'%s' was taken for seeds", bad[i]);
}

/* ---- a small study ---------------------------------------------------------------------------- */

enum { DFS, PCT, RANDOM };
static char *const names[] = { "dfs", "pct", "random" };

/* first: 0 not found, -1 failed. */
static const struct {
    const char *program;
    int strategy;
    uint64_t seed;
    int first;
    int executions, buggy;
} given[] = {
    { "a", DFS, 1, 4, 100, 3 },   { "b", DFS, 1, 0, 1000, 0 },  { "c", DFS, 1, -1, 0, 0 },
    { "a", PCT, 1, 1, 1000, 500 }, { "a", PCT, 2, 3, 1000, 500 }, { "a", PCT, 3, 2, 1000, 500 },
    { "b", PCT, 1, 10, 1000, 7 }, { "b", PCT, 2, 0, 1000, 0 },   { "b", PCT, 3, 20, 1000, 5 },
    { "c", PCT, 1, 0, 1000, 0 },  { "c", PCT, 2, 0, 1000, 0 },   { "c", PCT, 3, 7, 1000, 1 },
    { "a", RANDOM, 1, 1, 1000, 9 }, { "b", RANDOM, 1, 1, 1000, 9 }, { "c", RANDOM, 1, 0, 1000, 0 },
    { "d", RANDOM, 1, 0, 1000, 0 }, { "gone", DFS, 1, 1, 5, 5 },
};

static const struct hd_study_program programs[] = {
    { .name = "d", .suite = "two", .notes = "" }, { .name = "c", .suite = "two", .notes = "twin by ipb; quick" },
    { .name = "b", .suite = "one", .notes = "" }, { .name = "a", .suite = "one", .notes = "quick" },
    { .name = "never", .suite = "one", .notes = "quick" },
};
static const struct hd_study_list list = { .program = (struct hd_study_program *)programs,
                                           .n = COUNT_OF(programs) };

static void make_cell(struct hd_cell *c, size_t i)
{
    *c = (struct hd_cell){
        .key = { .seed = given[i].seed, .limit = 1000, .budget_ms = 60000, .keep_going = true },
        .state = given[i].first < 0 ? HD_CELL_CRASHED : HD_CELL_DONE,
        .executions = given[i].first < 0 ? HD_CELL_NONE : given[i].executions,
        .first = given[i].first > 0 ? given[i].first : HD_CELL_NONE,
        .buggy = given[i].buggy, .bound = HD_CELL_NONE, .classes = HD_CELL_NONE,
        .samples = given[i].strategy != DFS, .seconds = 0.5 };
    snprintf(c->key.program, sizeof c->key.program, "%s", given[i].program);
    snprintf(c->key.strategy, sizeof c->key.strategy, "%s", names[given[i].strategy]);
    snprintf(c->detail, sizeof c->detail, "why");
}

/* The strategies in another order than they first occur in. */
static struct hd_study small(const char *patterns)
{
    struct hd_study_names first = { .n = 3 };
    struct hd_cells cells = { calloc(COUNT_OF(given), sizeof *cells.cell), COUNT_OF(given) };
    struct hd_study s;

    assert_non_null(cells.cell);
    snprintf(first.name[0], HD_STUDY_NAME, "unused");
    snprintf(first.name[1], HD_STUDY_NAME, "pct");
    snprintf(first.name[2], HD_STUDY_NAME, "random");
    for (size_t i = 0; i < COUNT_OF(given); i++)
        make_cell(&cells.cell[i], i);
    hd_study_build(&s, cells, &list, patterns, &first);
    return s;
}

static void programs_and_strategies_are_in_order(void **state)
{
    struct hd_study s = small(NULL);

    (void)state;
    assert_int_equal(s.nprograms, 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(s.program[i]->name, programs[i].name);
    assert_int_equal(s.strategies.n, 3);
    assert_string_equal(s.strategies.name[0], "pct");
    assert_string_equal(s.strategies.name[1], "random");
    assert_string_equal(s.strategies.name[2], "dfs");
    assert_int_equal(s.strangers, 1);
    hd_study_free(&s);
    s = small("two,x*");
    assert_int_equal(s.nprograms, 2);
    hd_study_free(&s);
    s = small("quick");
    assert_int_equal(s.nprograms, 2);
    assert_string_equal(s.program[0]->name, "c");
    hd_study_free(&s);
    s = small("one+quick,d");
    assert_int_equal(s.nprograms, 2);
    assert_string_equal(s.program[0]->name, "d");
    assert_string_equal(s.program[1]->name, "a");
    hd_study_free(&s);
}

static void groups_count_seeds(void **state)
{
    struct hd_study s = small(NULL);
    const struct hd_group *a = hd_study_group(&s, 3, 0), *b = hd_study_group(&s, 2, 0);
    const struct hd_group *c = hd_study_group(&s, 1, 2);

    (void)state;
    assert_true(a->cells == 3 && a->found == 3 && a->failed == 0);
    assert_near(a->first, 2);
    assert_true(a->executions == 3000 && a->sampled == 3000 && a->buggy == 1500 && a->needed == 1 + 3 + 2);
    assert_near(a->rate, 3000 / 1.5);
    assert_int_equal(a->cell->key.seed, 1);
    assert_true(b->found == 2 && b->needed == 10 + 1000 + 20);
    assert_near(b->first, 20); /* of 10, 20 and never */
    assert_true(isinf(hd_study_group(&s, 1, 0)->first));
    assert_true(c->cells == 0 && c->failed == 1 && c->cell != NULL); /* crashed: not "not found" */
    assert_null(hd_study_group(&s, 0, 0)->cell);
    hd_study_free(&s);
}

static void sums_count_programs(void **state)
{
    struct hd_study s = small(NULL);
    const struct hd_strategy_sums *pct = &s.sums[0], *random = &s.sums[1], *dfs = &s.sums[2];

    (void)state;
    assert_true(pct->programs == 3 && pct->found == 3 && pct->seeds == 3 && pct->cells == 9);
    assert_int_equal(pct->cells_found, 3 + 2 + 1);
    assert_true(pct->needed == 6 / 3 + 1030 / 3 + 2007 / 3);
    assert_near(pct->median, 20);
    assert_true(random->programs == 4 && random->found == 2 && random->needed == 2002);
    assert_true(dfs->programs == 2 && dfs->found == 1 && dfs->failed == 1 && !dfs->samples);
    hd_study_free(&s);
}

/* a: all; b: pct and random; c: pct; d: no technique. */
static void sets(void **state)
{
    struct hd_study s = small(NULL);
    struct hd_subset subset[4];

    (void)state;
    assert_int_equal(hd_study_found_by(&s, 3), 7);
    assert_int_equal(hd_study_found_by(&s, 2), 3);
    assert_int_equal(hd_study_subsets(&s, subset), 4);
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t expected[] = { 0, 1, 3, 7 };

        assert_true(subset[i].strategies == expected[i] && subset[i].programs == 1);
    }
    hd_study_free(&s);
    s = small("c,d");
    s.group[0].found = 1; /* as if d had been found by pct, like c */
    assert_int_equal(hd_study_subsets(&s, subset), 1);
    assert_true(subset[0].strategies == 1 && subset[0].programs == 2);
    for (size_t t = 0; t < s.strategies.n; t++)
        s.group[t].cells = 0, s.group[t].found = 0; /* as if d did not compile: not "nobody" */
    assert_int_equal(hd_study_subsets(&s, subset), 1);
    assert_true(subset[0].strategies == 1 && subset[0].programs == 1);
    hd_study_free(&s);
}

/* pct: a at 1, 3, 2, b at 10, 20, c at 7, each worth a third of its program. */
static void cumulative(void **state)
{
    struct hd_study s = small(NULL);
    struct hd_step step[COUNT_OF(given)];
    const double at[] = { 1, 2, 3, 7, 10, 20 };

    (void)state;
    assert_int_equal(hd_study_cumulative(&s, 0, step), 6);
    for (size_t i = 0; i < 6; i++) {
        assert_near(step[i].executions, at[i]);
        assert_near(step[i].programs, (double)(i + 1) / 3);
    }
    assert_int_equal(hd_study_cumulative(&s, 1, step), 1); /* two at once */
    assert_near(step[0].programs, 2);
    hd_study_free(&s);
}

/* ---- counts as the study prints them ---------------------------------------------------------- */

static void assert_counts(const struct hd_cell *c, const char *want)
{
    char text[96];

    hd_cell_counts(c, text, sizeof text);
    assert_string_equal(text, want);
}

static void counts_are_printed_as_in_the_study(void **state)
{
    struct hd_cell c = { .key = { .limit = 1000, .budget_ms = 2000, .keep_going = true },
                         .executions = 50, .first = 23, .buggy = 9, .bound = 1, .fresh = 47,
                         .buggy_at_bound = 8, .seconds = 1 };

    (void)state;
    assert_counts(&c, "1/23/50/47/8");
    c.bound = HD_CELL_NONE;
    assert_counts(&c, "23/50/9");
    c.first = HD_CELL_NONE;
    c.executions = 1000;
    assert_counts(&c, "✗/L/9");
    c.complete = true; /* it had exactly as many */
    assert_counts(&c, "✗/1000/9");
    c.complete = false;
    c.executions = 999;
    c.seconds = 2;
    assert_counts(&c, "✗/999+/9");
    c.state = HD_CELL_CRASHED;
    assert_counts(&c, "crashed");
}

/* ---- against what is published ---------------------------------------------------------------- */

/* A row bound/first/total/new/buggy against a cell: first, executions, buggy, cut. */
static void comparing_exactly(void **state)
{
    enum { NO = HD_CELL_NONE, U = HD_PUBLISHED_UNKNOWN };
    static const struct {
        struct hd_published_row row;
        int64_t first, executions, buggy;
        bool by_time;
        enum hd_match want;
    } rows[] = {
        { { U, 10, 46, U, 3, false, true }, 10, 46, 3, false, HD_MATCH_SAME },
        { { U, 10, 46, U, 3, false, true }, 11, 46, 3, false, HD_MATCH_DIFFERS },
        { { U, 10, 46, U, 3, false, true }, 10, 47, 3, false, HD_MATCH_DIFFERS },
        { { U, 10, 46, U, 3, false, true }, 10, 46, 4, false, HD_MATCH_DIFFERS },
        { { U, 10, 46, U, 3, false, true }, 10, 20, 2, true, HD_MATCH_OPEN },
        { { U, 10, 46, U, 3, false, true }, NO, 9, 0, true, HD_MATCH_OPEN },
        { { U, 10, 46, U, 3, false, true }, NO, 20, 0, true, HD_MATCH_DIFFERS },
        { { U, 10, 46, U, 3, false, true }, 10, 50, 3, true, HD_MATCH_DIFFERS }, /* theirs was over by then */
        { { U, U, 46, U, 3, false, true }, 10, 46, 3, false, HD_MATCH_OPEN },
        { { U, NO, 100, U, 0, true, true }, NO, 100, 0, false, HD_MATCH_SAME }, /* both at the limit */
        { { U, NO, 100, U, 0, true, true }, NO, 60, 0, true, HD_MATCH_OPEN },
        { { U, NO, 100, U, 0, true, true }, NO, 60, 0, false, HD_MATCH_DIFFERS },
        { { U, NO, 100, U, 0, true, true }, 50, 60, 1, true, HD_MATCH_DIFFERS },
        { { U, NO, 50, U, 0, true, true }, 60, 100, 1, false, HD_MATCH_OPEN }, /* beyond their limit */
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct hd_cell c = { .key = { .limit = 100, .budget_ms = 1000, .keep_going = true },
                             .executions = rows[i].executions, .first = rows[i].first,
                             .buggy = rows[i].buggy, .bound = NO, .seconds = rows[i].by_time ? 1 : 0.5 };
        enum hd_match got = hd_published_match_exact(&rows[i].row, &c);

        if (got != rows[i].want)
            fail_msg("row %zu: %d instead of %d", i, got, rows[i].want);
    }
}

static void comparing_bounds(void **state)
{
    struct hd_published_row row = { 1, 23, 50, 47, 9, false, true };
    struct hd_cell c = { .key = { .limit = 100, .budget_ms = 1000, .keep_going = true }, .executions = 50,
                         .first = 23, .buggy = 30, .bound = 1, .fresh = 47, .buggy_at_bound = 9 };

    (void)state;
    assert_int_equal(hd_published_match_exact(&row, &c), HD_MATCH_SAME);
    c.fresh = 46;
    assert_int_equal(hd_published_match_exact(&row, &c), HD_MATCH_DIFFERS);
    row.fresh = HD_PUBLISHED_UNKNOWN;
    assert_int_equal(hd_published_match_exact(&row, &c), HD_MATCH_OPEN);
    c.bound = 2;
    assert_int_equal(hd_published_match_exact(&row, &c), HD_MATCH_DIFFERS);
    c.bound = 1;
    c.key.keep_going = false; /* it ended at the first: totals say nothing */
    c.executions = 23;
    assert_int_equal(hd_published_match_exact(&row, &c), HD_MATCH_OPEN);
    c.first = 24;
    assert_int_equal(hd_published_match_exact(&row, &c), HD_MATCH_DIFFERS);
}

/* 50% of 100,000 is 49.7 to 50.3; 100 of 1,000 is 8.3 to 12. */
static void comparing_shares(void **state)
{
    struct hd_cell cell = { .state = HD_CELL_DONE };
    struct hd_published_row half = { .first = 1, .total = 100000, .buggy = 50000, .limited = true };
    struct hd_published_row never = { .first = HD_CELL_NONE, .total = 100000, .limited = true };
    struct hd_published_row found = { .first = HD_PUBLISHED_FOUND, .total = 17,
                                      .buggy = HD_PUBLISHED_UNKNOWN };
    struct hd_group g = { .cell = &cell, .cells = 1, .found = 1, .executions = 1000,
                          .sampled = 1000, .buggy = 490 };

    (void)state;
    assert_int_equal(hd_published_match_share(&half, &g), HD_MATCH_SAME);
    g.buggy = 400;
    assert_int_equal(hd_published_match_share(&half, &g), HD_MATCH_DIFFERS);
    assert_int_equal(hd_published_match_share(&never, &g), HD_MATCH_DIFFERS);
    assert_int_equal(hd_published_match_share(&found, &g), HD_MATCH_SAME);
    g.buggy = g.found = 0;
    assert_int_equal(hd_published_match_share(&never, &g), HD_MATCH_SAME);
    assert_int_equal(hd_published_match_share(&found, &g), HD_MATCH_DIFFERS);
    g.executions = g.sampled = 16;
    assert_int_equal(hd_published_match_share(&found, &g), HD_MATCH_OPEN);
}

static void published_numbers(void **state)
{
    int64_t n;
    bool limited;

    (void)state;
    assert_true(hd_published_number("L100000", &n, &limited) && n == 100000 && limited);
    assert_true(hd_published_number("12", &n, &limited) && n == 12 && !limited);
    assert_true(hd_published_number("x", &n, &limited) && n == HD_CELL_NONE);
    assert_true(hd_published_number("?", &n, &limited) && n == HD_PUBLISHED_UNKNOWN);
    assert_true(hd_published_number("", &n, &limited) && n == HD_PUBLISHED_UNKNOWN);
    assert_true(hd_published_number("found", &n, &limited) && n == HD_PUBLISHED_FOUND);
    assert_false(hd_published_number("12a", &n, &limited));
    assert_false(hd_published_number("~12", &n, &limited));
    assert_false(hd_published_number("L", &n, &limited));
    assert_false(hd_published_number("Lx", &n, &limited));
}

/* ---- outputs ---------------------------------------------------------------------------------- */

static char *written(void (*write)(FILE *out, const struct hd_study_report *r))
{
    struct hd_study s = small(NULL);
    struct hd_published none;
    char error[200], *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    assert_true(hd_published_read(&none, NULL, NULL, error, sizeof error));
    write(out, &(struct hd_study_report){ &s, &none, "list.tsv" });
    fclose(out);
    hd_published_free(&none);
    hd_study_free(&s);
    return text;
}

static void every_output_names_what_failed(void **state)
{
    char *csv = written(hd_study_csv), *markdown = written(hd_study_markdown), *html = written(hd_study_html);

    (void)state;
    assert_non_null(strstr(csv, "\"\",\"c\",\"dfs\",1,1000,60000,1,\"\",\"crashed\",\"\",\"\",,,,,,,,,,,,,\"\",\"\",,,\"why\""));
    assert_null(strstr(csv, "gone"));
    assert_non_null(strstr(markdown, "| c | ✗/3000/1 | ✗/L/0 | **crashed** |"));
    assert_non_null(strstr(markdown, "| c | dfs | 1 | **crashed** | why |"));
    assert_non_null(strstr(markdown, "| pct | 3 | 3 |  | 3 | 67% (35–88) | 1,014 | 20 | 4.5 |"));
    assert_non_null(strstr(markdown, "| 1 | pct, random, dfs |"));
    assert_non_null(strstr(markdown, "| 1 | nobody |"));
    assert_non_null(strstr(html, "<td class=\"r bad\">crashed</td>"));
    assert_non_null(strstr(html, "\"first\": [\n  [null, \"never\", null],\n  [\"never\", \"never\", null],\n  [20, 1, \"never\"],\n  [2, 1, 4]]"));
    assert_non_null(strstr(html, "<text id=\"venn-0\""));
    free(csv);
    free(markdown);
    free(html);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wilson_intervals),
        cmocka_unit_test(quantiles),
        cmocka_unit_test(strategies_and_seeds),
        cmocka_unit_test(programs_and_strategies_are_in_order),
        cmocka_unit_test(groups_count_seeds),
        cmocka_unit_test(sums_count_programs),
        cmocka_unit_test(sets),
        cmocka_unit_test(cumulative),
        cmocka_unit_test(counts_are_printed_as_in_the_study),
        cmocka_unit_test(comparing_exactly),
        cmocka_unit_test(comparing_bounds),
        cmocka_unit_test(comparing_shares),
        cmocka_unit_test(published_numbers),
        cmocka_unit_test(every_output_names_what_failed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
