/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cache_oracle_test.c - what the reducers must not lose beyond what claims_test.c asks
 * of them: programs that yield and fail, against plain dfs, ipb and idb, each class in
 * the pass in which those reach it first; delays, which depend on the order of creation.
 * HEDDLE_ORACLE_PROGRAMS sets how many programs (make check-deep: 10,000). */
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

/* ---- what a search has reached --------------------------------------------------------- */

struct item {
    uint64_t hash;
    int64_t bound; /* the least that it was reached with */
};

struct reached {
    bool all;         /* executions that are not counted as well */
    uint64_t counted; /* before the current execution */
    uint64_t twice;
    unsigned n;
    struct item item[MAX_ITEMS]; /* sorted by hash */
};

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
        put(r, oracle_hash(x->exec.events, x->exec.nevents, x->state.script), t->bound);
    r->counted = t->executions;
}

/* False: too many executions. */
static bool explore(struct reached *r, const struct program *p, const char *spec, int64_t bound,
                    bool all)
{
    static struct explorer x;

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
};

static struct reached want, got;
static uint64_t compared;

/* How much is wrong with the program. */
static unsigned compare(const struct program *p, const struct row *r)
{
    if (!explore(&want, p, r->plain, r->bound, true))
        return 0;
    compared++;
    assert_true(explore(&got, p, r->reduced, r->bound, false));
    return differences(&want, &got) + (unsigned)got.twice;
}

/* A thread that has yielded is not offered while another one is enabled, and leaving
 * it is free; assertions end an execution where they fail. */
static void yields_and_failures_are_part_of_the_state(void **state)
{
    static const struct row rows[] = {
        { "dfs", "dfs+cache:cache=16", -1 }, { "ipb", "ipb+cache:cache=16", 1 },
        { "ipb", "ipb+cache:cache=16", 2 },  { "idb", "idb+cache:cache=16", 2 },
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
    const struct row row = { "idb", "idb+cache:cache=16", 4 };

    (void)state;
    compared = 0;
    max_executions = 50000;
    assert_int_equal(compare(&p, &row), 0);
    assert_int_equal(compared, 1);
    max_executions = 6000;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(yields_and_failures_are_part_of_the_state),
        cmocka_unit_test(delays_depend_on_the_order_of_creation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
