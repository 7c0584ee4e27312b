/* SPDX-License-Identifier: BSD-2-Clause
 *
 * estimate_test.c - the two estimators on trees of known size, by hand and through
 * the strategies. */
#include "support/unit.h"

#include "search/core/estimate.h"
#include "support/crew.h"
#include "support/programs.h"

static bool near(double got, double want)
{
    double off = got - want;

    return off < 1e-9 * want && -off < 1e-9 * want;
}

#define EXPECT_NEAR(what, got, want)                                            \
    do {                                                                        \
        if (!near(got, want))                                                   \
            fail_msg("%s: %s is %.9g, want %.9g", (what), #got, (got), (double)(want)); \
    } while (0)

/* ---- the published example ------------------------------------------------------------- */

/* Two threads of three transitions; six executions.  After the root the path branches
 * behind two transitions and perhaps behind two more.  Each row is one execution: the
 * branches at these three points (0: the path does not come there), how many of them
 * are explored, and the size of these in seconds, one per transition. */
static const struct {
    struct {
        uint32_t all, explored;
        double size;
    } at[3];
    unsigned rest; /* transitions behind the last branching point */
    double executions, seconds;
} vectors[] = {
    { { { 2, 0, 0 }, { 2, 0, 0 } }, 4, 4, 20 },
    { { { 2, 0, 0 }, { 2, 1, 4 }, { 2, 0, 0 } }, 2, 16.0 / 3, 24 },
    { { { 2, 0, 0 }, { 2, 1, 4 }, { 2, 1, 2 } }, 2, 6, 24 },
    { { { 2, 1, 12 }, { 2, 0, 0 } }, 4, 16.0 / 3, 22 },
    { { { 2, 1, 12 }, { 2, 1, 4 }, { 2, 0, 0 } }, 2, 40.0 / 7, 24 },
    { { { 2, 1, 12 }, { 2, 1, 4 }, { 2, 1, 2 } }, 2, 6, 24 },
};

/* The example's size of a point counts the transition that leads to it as well, which
 * is the same as so much more in the branches that are explored. */
static void transition(struct hd_estimate *e)
{
    hd_estimate_branch(e, 1, 0, 1);
}

static void branch(struct hd_estimate *e, uint32_t all, uint32_t explored, double size,
                   bool is_root)
{
    double own = is_root ? 0 : 1;

    hd_estimate_branch(e, all, explored, size + own * (explored + 1) / all);
}

static void the_example_comes_out_as_published(void **state)
{
    (void)state;
    for (size_t r = 0; r < COUNT_OF(vectors); r++) {
        struct hd_estimate e;
        char row[16];

        snprintf(row, sizeof row, "row %zu", r + 1);
        hd_estimate_start(&e);
        for (int i = 0; i < 3 && vectors[r].at[i].all > 0; i++) {
            if (i > 0)
                transition(&e);
            branch(&e, vectors[r].at[i].all, vectors[r].at[i].explored, vectors[r].at[i].size,
                   i == 0);
        }
        hd_estimate_leaf(&e, vectors[r].rest);
        EXPECT_NEAR(row, (double)(r + 1) / e.explored, vectors[r].executions);
        EXPECT_NEAR(row, e.recursive, vectors[r].seconds);
    }
}

/* ---- through the search -------------------------------------------------------------------- */

/* Two threads of two steps give the tree of the example; in executions the recursive
 * one is, from the same formula, 4, 2*(1+2), 6, 3+2, 3+3, 6. */
static void a_search_feeds_it_from_its_path(void **state)
{
    static const double recursive[] = { 4, 6, 6, 5, 6, 6 };
    struct explorer x;

    (void)state;
    explorer_open(&x, &prog_two_by_two, "dfs", -1, 1);
    for (unsigned i = 0; i < 6; i++) {
        char row[16];

        snprintf(row, sizeof row, "execution %u", i + 1);
        explorer_all(&x, i + 1);
        EXPECT_NEAR(row, (double)(i + 1) / explorer_totals(&x)->explored, vectors[i].executions);
        EXPECT_NEAR(row, explorer_totals(&x)->tree_size, recursive[i]);
    }
    assert_true(explorer_totals(&x)->exhausted);
    explorer_close(&x);
}

struct seen {
    double before;
    int64_t bound;
    uint64_t begun;  /* before this pass */
};

static void expect_growth(struct explorer *x, void *ctx)
{
    const struct hd_totals *t = explorer_totals(x);
    struct seen *s = ctx;

    if (t->bound != s->bound)
        *s = (struct seen){ .bound = t->bound, .begun = t->begun - 1 };
    if (!hd_estimate_due(x->exec.index))
        return;
    /* of a tree whose branches are known from the start every leaf adds its share */
    assert_true(t->explored > s->before && t->explored <= 1 + 1e-9);
    s->before = t->explored;
}

/* The last execution of each pass explores the rest: nothing is counted twice or left
 * out.  In a tree that is known in full both estimates are its size. */
static void the_whole_tree_is_explored_in_the_end(void **state)
{
    static const char *const specs[] = { "dfs", "ipb", "idb", "dpor", "dpor-optimal" };
    unsigned ends = 0;

    (void)state;
    for (size_t s = 0; s < COUNT_OF(specs); s++)
        for (uint64_t i = 0; i < 40; i++) {
            struct hd_rng rng = hd_rng_for(77, i);
            struct seen seen = { .bound = -2 };
            struct program p;
            struct explorer x;

            prog_random(&p, &rng);
            explorer_open(&x, &p, specs[s], -1, 1);
            if (s < 3) {
                x.seen = expect_growth;
                x.ctx = &seen;
            }
            explorer_all(&x, 5000);
            const struct hd_totals *t = explorer_totals(&x);

            if (t->exhausted && hd_estimate_due(t->begun - 1)) {
                EXPECT_NEAR(specs[s], t->explored, 1);
                EXPECT_NEAR(specs[s], t->tree_size, (double)(t->begun - seen.begun));
                ends++;
            }
            explorer_close(&x);
        }
    assert_true(ends > 40); /* most of the 200 are small enough to end within the first 64 */
}

/* Three threads of one step each: 3!.  A choice of three before that: 18. */
static void uniform_trees_are_known_at_once(void **state)
{
    static const struct program p = { .op = {
        { CHOOSE(3, 0), CREATE_ALL(1, 3) }, { READ(0) }, { READ(0) }, { READ(0) },
    } };
    struct explorer x;

    (void)state;
    explorer_open(&x, &p, "dfs", -1, 1);
    for (unsigned i = 1; i <= 18; i++) {
        explorer_all(&x, i);
        EXPECT_NEAR("18", (double)i / explorer_totals(&x)->explored, 18);
        EXPECT_NEAR("18", explorer_totals(&x)->tree_size, 18);
    }
    assert_true(explorer_totals(&x)->exhausted);
    explorer_close(&x);
}

static void random_strategies_have_no_tree(void **state)
{
    (void)state;
    for (int i = 0; hd_strategies[i] != NULL; i++)
        if (hd_traits_samples(&hd_strategies[i]->traits))
            assert_null(hd_strategies[i]->branch);
    assert_null(hd_strategy_find("replay")->branch);
}

/* ---- several workers ---------------------------------------------------------------------- */

struct told {
    const struct crew *crew;
    uint64_t half; /* index of the execution after which half of the search is over */
    double then;   /* explored part that was reported then */
};

static void listen(struct explorer *x, void *ctx)
{
    struct told *t = ctx;
    double explored = hd_share_explored(&t->crew->shared);
    uint64_t executions = 0;

    (void)x;
    assert_true(explored >= 0 && explored <= 1);
    for (unsigned i = 0; i < t->crew->n; i++)
        executions += explorer_totals(&t->crew->x[i])->executions;
    if (executions <= t->half)
        t->then = explored;
}

/* The weights of all tasks of an enumeration add up to 1. When half of the executions of a regular tree are over,
 * the reported explored part is about a half. */
static void what_workers_explore_adds_up(void **state)
{
    static const struct program p = { .start = 3, .op = {
        { ADD(0, 1), ADD(0, 1), ADD(0, 1) }, { ADD(0, 1), ADD(0, 1), ADD(0, 1) },
        { ADD(0, 1), ADD(0, 1), ADD(0, 1) } } };
    static const char *const spec[] = { "dfs", "ipb", "idb", "dpor", "dpor-optimal" };

    (void)state;
    for (size_t s = 0; s < COUNT_OF(spec); s++)
        for (uint64_t seed = 0; seed < 6; seed++) {
            static struct crew crew;
            struct hd_rng rng = hd_rng_for(17, seed);
            struct told told = { .crew = &crew, .half = 1680 / 2 }; /* 9! / 3!^3 orders */

            crew.note = listen;
            crew.ctx = &told;
            struct tally t = crew_explore(&crew, 2 + hd_rng_below(&rng, 3), &p, spec[s], -1, &rng);

            assert_int_equal(t.executions, 1680);
            if (s < 3)
                EXPECT_NEAR(spec[s], t.explored, 1);
            if (s != 1 && s != 2 && (told.then < 0.125 || told.then > 0.95))
                fail_msg("%s: %.2f explored after half", spec[s], told.then);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_comes_out_as_published),
        cmocka_unit_test(a_search_feeds_it_from_its_path),
        cmocka_unit_test(the_whole_tree_is_explored_in_the_end),
        cmocka_unit_test(uniform_trees_are_known_at_once),
        cmocka_unit_test(random_strategies_have_no_tree),
        cmocka_unit_test(what_workers_explore_adds_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
