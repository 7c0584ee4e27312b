/* SPDX-License-Identifier: BSD-2-Clause
 *
 * blocks_test.c - searches that leave scheduling points out (model/point_class.h), by class or by
 * call (model/filter.h), are judged on random programs of every family: the oracle runs all
 * interleavings that switch threads at the other operations only, or where a thread has to wait.
 *
 * HEDDLE_ORACLE_PROGRAMS  how many per family */
#include "support/unit.h"

#include "base/rng.h"
#include "model/point_class.h"
#include "oracle/judge.h"
#include "oracle/print_c.h"

static const struct judge_claim claims[] = {
    { "dpor", JUDGE_CLASSES | JUDGE_STATES, 0, 0 },
    { "dpor-optimal", JUDGE_CLASSES | JUDGE_STATES, 0, 0 },
    { "dfs", JUDGE_CLASSES | JUDGE_STATES | JUDGE_LEAN, 0, 0 },
    { "ipb", JUDGE_CLASSES | JUDGE_EXACT, JUDGE_PREEMPTIONS, 1 },
};

static uint64_t programs_per_family(void)
{
    const char *n = getenv("HEDDLE_ORACLE_PROGRAMS");
    const char *deep = getenv("HEDDLE_DEEP");

    return n != NULL ? strtoull(n, NULL, 10) : deep != NULL && deep[0] == '1' ? 2000 : 120;
}

static void judge_masked(struct judgement *j, enum generate_family f, uint64_t index, struct hd_rng *rng)
{
    struct program p;
    bool filters = index % 2 == 1; /* with a filter, the classes matter only in one of four */

    generate(&p, f, 5, index);
    p.masked = filters && index % 8 != 1 ? 0 : hd_rng_below(rng, HD_POINT_ALL) + 1;
    for (unsigned t = 0; filters && t < PROG_THREADS; t++)
        p.filtered[t] = (uint32_t)hd_rng_below(rng, 1u << PROG_OPS);
    const struct oracle *o = judge_oracle(&p);

    for (size_t i = 0; i < COUNT_OF(claims); i++) {
        if (o == NULL) {
            j[i].skipped++;
            continue;
        }
        if (judge_with(&j[i], o, &p, &claims[i]))
            continue;
        fprintf(stderr, "%s, program %llu, without the points %#x, filters %#x %#x %#x: %s\n", generate_name(f),
                (unsigned long long)index, p.masked, p.filtered[0], p.filtered[1], p.filtered[2], claims[i].spec);
        generate_print(&p, stderr);
    }
}

static void every_interleaving_at_the_points_is_explored(void **state)
{
    uint64_t n = programs_per_family(), broken = 0;
    struct hd_rng rng = hd_rng_for(7, 0);

    (void)state;
    for (enum generate_family f = 0; f < GENERATE_COUNT; f++) {
        struct judgement j[COUNT_OF(claims)] = { 0 };

        for (uint64_t i = 0; i < n; i++)
            judge_masked(j, f, i, &rng);
        for (size_t k = 0; k < COUNT_OF(claims); k++) {
            judge_print(stdout, &j[k], generate_name(f), &claims[k]);
            broken += j[k].broken;
        }
        assert_true(j[0].skipped <= n / 5);
    }
    EXPECT_EQ("programs for which a promise was broken", broken, 0);
}

/* Two threads that take two locks in opposite orders.  By hand: with all points there is a deadlock.
 * Without a point at the second lock, none: a thread holds both when another one can run. */
static void fewer_points_have_fewer_interleavings(void **state)
{
    struct program p = { .start = 2, .op = {
        { { OP_LOCK, 0, 0, 0 }, { OP_LOCK, 1, 0, 0 }, { OP_UNLOCK, 1, 0, 0 }, { OP_UNLOCK, 0, 0, 0 } },
        { { OP_LOCK, 1, 0, 0 }, { OP_LOCK, 0, 0, 0 }, { OP_UNLOCK, 0, 0, 0 }, { OP_UNLOCK, 1, 0, 0 } } } };
    const struct oracle *o = judge_oracle(&p);
    unsigned deadlocks = 0;

    (void)state;
    for (unsigned i = 0; i < o->n; i++)
        deadlocks += o->class[i].deadlock;
    EXPECT_EQ("deadlocks with all points", deadlocks, 1);
    p.masked = HD_POINT_LOCK | HD_POINT_UNLOCK;
    o = judge_oracle(&p);
    EXPECT_EQ("interleavings without points", o->schedules, 2);
    EXPECT_EQ("deadlocks", o->class[0].deadlock + o->class[1].deadlock, 0);
}

/* The same threads.  By hand: if the second lock of both is left out, a thread gets both locks or waits for its
 * first one, so there is no deadlock.  If that of one thread is, the other may stop between its locks,
 * and the first one then has to wait with its lock: the deadlock is still there. */
static void a_filter_leaves_out_single_operations(void **state)
{
    struct program p = { .start = 2, .op = {
        { { OP_LOCK, 0, 0, 0 }, { OP_LOCK, 1, 0, 0 }, { OP_UNLOCK, 1, 0, 0 }, { OP_UNLOCK, 0, 0, 0 } },
        { { OP_LOCK, 1, 0, 0 }, { OP_LOCK, 0, 0, 0 }, { OP_UNLOCK, 0, 0, 0 }, { OP_UNLOCK, 1, 0, 0 } } } };

    (void)state;
    p.filtered[0] = 1u << 1;
    for (unsigned both = 0; both < 2; both++) {
        unsigned deadlocks = 0;

        p.filtered[1] = both << 1;
        const struct oracle *o = judge_oracle(&p);

        for (unsigned i = 0; i < o->n; i++)
            deadlocks += o->class[i].deadlock;
        EXPECT_EQ("deadlocks", deadlocks, both ? 0 : 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fewer_points_have_fewer_interleavings),
        cmocka_unit_test(a_filter_leaves_out_single_operations),
        cmocka_unit_test(every_interleaving_at_the_points_is_explored),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
