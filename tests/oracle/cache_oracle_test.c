/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cache_oracle_test.c - what the reducers must not lose, on random programs of every
 * family.  dfs+cache counts every class of the brute-force oracle exactly once;
 * ipb+cache and idb+cache count exactly the classes that ipb and idb reach up to the
 * same bound, each in the pass in which they reach it first; +lazycache keeps all
 * final states and deadlocks, bound by bound.  HEDDLE_ORACLE_PROGRAMS sets how many
 * programs per family (make check-deep: 10,000). */
#include "support/unit.h"

#include <stdlib.h>

#include "oracle/judge.h"
#include "support/explorer.h"
#include "support/programs.h"

#define MAX_ITEMS 20000

/* Programs that take more are passed over. */
static uint64_t max_executions = 6000;

static uint64_t programs(void)
{
    const char *n = getenv("HEDDLE_ORACLE_PROGRAMS");
    const char *deep = getenv("HEDDLE_DEEP");

    if (n != NULL)
        return strtoull(n, NULL, 10);
    return deep != NULL && deep[0] == '1' ? 10000 : 100;
}

static bool is_wanted(enum generate_family f)
{
    const char *only = getenv("HEDDLE_ORACLE_FAMILY");

    return only == NULL || strcmp(only, generate_name(f)) == 0;
}

/* ---- what a search has reached --------------------------------------------------------- */

enum what { CLASSES, STATES };

struct item {
    uint64_t hash;
    int64_t bound; /* the least that it was reached with */
};

struct reached {
    enum what what;
    bool all;         /* executions that are not counted as well */
    uint64_t counted; /* before the execution that is looked at */
    uint64_t twice;
    unsigned n;
    struct item item[MAX_ITEMS]; /* sorted by hash */
};

static uint64_t hash_of(const struct explorer *x, enum what what)
{
    return what == CLASSES ? oracle_hash(x->exec.events, x->exec.nevents, x->state.script)
                           : oracle_state(&x->state) * 2 + (x->exec.findings > 0);
}

static void put(struct reached *r, uint64_t hash, int64_t bound)
{
    unsigned low = 0, high = r->n;

    while (low < high) {
        unsigned mid = (low + high) / 2;

        if (r->item[mid].hash < hash)
            low = mid + 1;
        else
            high = mid;
    }
    if (low < r->n && r->item[low].hash == hash) {
        r->twice++;
        return;
    }
    assert_true(r->n < MAX_ITEMS);
    memmove(&r->item[low + 1], &r->item[low], (r->n - low) * sizeof r->item[0]);
    r->item[low] = (struct item){ hash, bound };
    r->n++;
}

static void seen(struct explorer *x, void *ctx)
{
    struct reached *r = ctx;
    const struct hd_totals *t = explorer_totals(x);

    if (r->all || t->executions > r->counted)
        put(r, hash_of(x, r->what), t->bound);
    r->counted = t->executions;
}

/* False: too many executions. */
static bool explore(struct reached *r, const struct program *p, const char *spec, int64_t bound,
                    enum what what, bool all)
{
    static struct explorer x;

    r->what = what;
    r->all = all;
    r->counted = r->twice = r->n = 0;
    explorer_open(&x, p, spec, bound, 1);
    x.seen = seen;
    x.ctx = r;
    explorer_all(&x, max_executions);
    bool done = explorer_totals(&x)->exhausted != 0;

    assert_true(!done || explorer_totals(&x)->complete);
    explorer_close(&x);
    return done;
}

static unsigned differences(const struct reached *a, const struct reached *b)
{
    unsigned n = 0, i = 0, k = 0;

    while (i < a->n || k < b->n) {
        bool left = k == b->n || (i < a->n && a->item[i].hash <= b->item[k].hash);
        bool right = i == a->n || (k < b->n && b->item[k].hash <= a->item[i].hash);

        n += !left || !right || a->item[i].bound != b->item[k].bound;
        i += left;
        k += right;
    }
    return n;
}

/* ---- the comparison --------------------------------------------------------------------- */

struct row {
    const char *plain, *reduced;
    int64_t bound;
    enum what what;
};

static struct reached want, got;
static uint64_t compared;

/* How much is wrong with the program. */
static unsigned compare(const struct program *p, const struct row *r)
{
    if (!explore(&want, p, r->plain, r->bound, r->what, true))
        return 0;
    compared++;
    assert_true(explore(&got, p, r->reduced, r->bound, r->what, false));
    return differences(&want, &got) + (r->what == CLASSES ? (unsigned)got.twice : 0);
}

static void compare_families(const struct row *rows, size_t nrows)
{
    for (enum generate_family f = 0; f < GENERATE_COUNT; f++) {
        if (!is_wanted(f))
            continue;
        compared = 0;
        for (uint64_t i = 0; i < programs(); i++)
            for (size_t r = 0; r < nrows; r++) {
                struct program p;

                generate(&p, f, 3, i);
                unsigned bad = compare(&p, &rows[r]);

                if (bad == 0)
                    continue;
                generate_print(&p, stderr);
                fail_msg("%s, bound %lld, program %llu of %s: %u differences", rows[r].reduced,
                         (long long)rows[r].bound, (unsigned long long)i, generate_name(f), bad);
            }
        print_message("%-17s %llu comparisons\n", generate_name(f), (unsigned long long)compared);
        assert_true(compared > programs() * nrows / 2);
    }
}

static void a_cache_counts_every_class_exactly_once(void **state)
{
    (void)state;
    for (enum generate_family f = 0; f < GENERATE_COUNT; f++) {
        struct judgement j = { 0 };

        if (!is_wanted(f))
            continue;
        judge_family(&j, f, 1, 0, programs(), "dfs+cache:cache=16", false, 2);
        judge_print(&j, generate_name(f), "dfs+cache");
        EXPECT_EQ(generate_name(f), j.missed + j.unknown + j.incomplete + j.twice, 0);
    }
}

static void a_cache_loses_nothing_within_a_bound(void **state)
{
    static const struct row rows[] = {
        { "ipb", "ipb+cache:cache=16", 0, CLASSES }, { "ipb", "ipb+cache:cache=16", 1, CLASSES },
        { "ipb", "ipb+cache:cache=16", 2, CLASSES }, { "idb", "idb+cache:cache=16", 0, CLASSES },
        { "idb", "idb+cache:cache=16", 1, CLASSES }, { "idb", "idb+cache:cache=16", 2, CLASSES },
    };

    (void)state;
    compare_families(rows, COUNT_OF(rows));
}

/* A thread that has yielded is not offered while another one is enabled, and leaving
 * it is free; assertions end an execution where they fail. */
static void yields_and_failures_are_part_of_the_state(void **state)
{
    static const struct row rows[] = {
        { "dfs", "dfs+cache:cache=16", -1, CLASSES }, { "ipb", "ipb+cache:cache=16", 1, CLASSES },
        { "ipb", "ipb+cache:cache=16", 2, CLASSES },  { "idb", "idb+cache:cache=16", 2, CLASSES },
    };

    (void)state;
    compared = 0;
    for (uint64_t i = 0; i < programs(); i++)
        for (size_t r = 0; r < COUNT_OF(rows); r++) {
            struct hd_rng rng = hd_rng_for(17, i);
            struct program p;

            prog_random(&p, &rng);
            for (unsigned t = 0; t < PROG_THREADS; t++)
                for (unsigned k = 0; k < PROG_OPS; k++)
                    if (p.op[t][k].kind == OP_CHOOSE) /* it would write unseen */
                        p.op[t][k].kind = OP_YIELD;
            if (compare(&p, &rows[r]) != 0) {
                generate_print(&p, stderr);
                fail_msg("%s, random program %llu", rows[r].reduced, (unsigned long long)i);
            }
        }
    assert_true(compared > programs() * COUNT_OF(rows) / 2);
}

/* Thread 1 creates four, thread 2 one more, in either order: the same state, but the
 * round robin that delays are counted against is another one.  That cell 1 is written
 * before it is read, cell 2 too, and cell 0 before all four reads, takes 3 delays: one
 * to let thread 2 begin, two to come back to thread 1, and then the last thread comes
 * before the four.  Had thread 1 begun, it would have to pass over four.  One more lets
 * cell 3 be read before it is written. */
static void delays_depend_on_the_order_of_creation(void **state)
{
    static const struct program p = { .op = {
        { CREATE_ALL(1, 2) }, { CREATE_ALL(3, 6), WRITE(1, 1) },
        { CREATE(7), READ(1), WRITE(2, 1) }, { READ(0), WRITE(3, 1) }, { READ(0), READ(3) },
        { READ(0) }, { READ(0) }, { READ(2), WRITE(0, 1) } } };
    const struct row row = { "idb", "idb+cache:cache=16", 4, CLASSES };

    (void)state;
    compared = 0;
    max_executions = 50000;
    assert_int_equal(compare(&p, &row), 0);
    assert_int_equal(compared, 1);
    max_executions = 6000;
}

static void a_lazy_cache_loses_no_state(void **state)
{
    static const struct row rows[] = {
        { "dfs", "dfs+lazycache:cache=16", -1, STATES },
        { "ipb", "ipb+lazycache:cache=16", 1, STATES },
        { "idb", "idb+lazycache:cache=16", 1, STATES },
    };

    (void)state;
    compare_families(rows, COUNT_OF(rows));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cache_counts_every_class_exactly_once),
        cmocka_unit_test(a_cache_loses_nothing_within_a_bound),
        cmocka_unit_test(yields_and_failures_are_part_of_the_state),
        cmocka_unit_test(delays_depend_on_the_order_of_creation),
        cmocka_unit_test(a_lazy_cache_loses_no_state),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
