/* SPDX-License-Identifier: BSD-2-Clause
 *
 * share_test.c - an exhaustive search that several workers share explores what one
 * explores alone, whatever the order of their steps, with workers that are cut off and
 * started anew, on random programs of every family.  What one explores is held against
 * the oracle elsewhere (dpor_oracle_test.c).  HEDDLE_ORACLE_PROGRAMS sets how many per
 * family (HEDDLE_DEEP=1: 600, as each is explored many times). */
#include "support/unit.h"

#include <stdlib.h>

#include "oracle/generate.h"
#include "support/crew.h"

#define SMALL 3000 /* executions; what has more is passed over */

struct count {
    uint64_t programs, executions, given, tasks, restarts, bad;
};

static uint64_t programs(void)
{
    const char *n = getenv("HEDDLE_ORACLE_PROGRAMS");
    const char *deep = getenv("HEDDLE_DEEP");

    if (n != NULL)
        return strtoull(n, NULL, 10);
    return deep != NULL && deep[0] == '1' ? 600 : 20;
}

/* What must be as it is with one worker. */
enum sameness {
    SAME_STATES,    /* the final states, and whether there is a bug; which classes are found depends on the order of
                     * the executions */
    SAME_LAZY,      /* the same, and one execution of each lazy class */
    SAME_SET,       /* the classes, each as often as it may be */
    SAME_CLASSES,   /* one execution of each */
    SAME_OPTIMAL,   /* and none is redundant */
    SAME_SCHEDULES, /* every execution, redundant ones too */
};

static bool same(const struct tally *a, const struct tally *b, enum sameness how)
{
    if (how <= SAME_LAZY)
        return a->nstates == b->nstates && (a->buggy > 0) == (b->buggy > 0) && a->over == b->over &&
               a->complete == b->complete && (how == SAME_STATES || a->executions == b->executions);
    if (a->set != b->set || a->nset != b->nset || a->over != b->over || a->complete != b->complete)
        return false;
    if (how >= SAME_CLASSES && (a->executions != b->executions || a->buggy != b->buggy ||
                                a->classes != b->classes))
        return false;
    if (how == SAME_OPTIMAL)
        return b->redundant == 0;
    return how != SAME_SCHEDULES || (a->traces == b->traces && a->redundant == b->redundant);
}

static void show(const char *spec, enum generate_family f, uint64_t i, const struct program *p,
                 const struct tally *one, const struct tally *all)
{
    fprintf(stderr, "%s, program %llu of %s: classes %llu alone, %llu shared; executions "
            "%llu, %llu; redundant %llu, "
            "%llu; buggy %llu, %llu; states %llu, %llu; complete %d, %d; over %d; given away %llu\n", spec,
            (unsigned long long)i, generate_name(f), (unsigned long long)one->nset,
            (unsigned long long)all->nset, (unsigned long long)one->executions,
            (unsigned long long)all->executions, (unsigned long long)one->redundant,
            (unsigned long long)all->redundant, (unsigned long long)one->buggy,
            (unsigned long long)all->buggy, (unsigned long long)one->nstates, (unsigned long long)all->nstates, one->complete, all->complete, all->over,
            (unsigned long long)all->given);
    generate_print(p, stderr);
}

/* Appends the operations of another program of the family to this one, so that there are
 * enough classes for deep splits.  A thread is created once and ends once. */
static void lengthen(struct program *p, enum generate_family f, uint64_t i)
{
    struct program q;

    generate(&q, f, 2, i);
    for (unsigned t = 0; t < PROG_THREADS; t++) {
        unsigned n = 0, m = 0;

        while (n < PROG_OPS && p->op[t][n].kind != OP_END)
            n++;
        while (m < PROG_OPS && q.op[t][m].kind != OP_END)
            m++;
        if (n == 0 || n + m >= PROG_OPS || f == GENERATE_ENDS ||
            (f == GENERATE_SPAWN && t == 0))
            continue;
        memcpy(&p->op[t][n], q.op[t], m * sizeof q.op[t][0]);
    }
}

/* Half of the bounded reductions deepen until nothing costs more. */
static int64_t bound_of(const char *spec, uint64_t i)
{
    if (strncmp(spec, "bpor", 4) == 0)
        return i % 4 < 2 ? -1 : (int64_t)(i % 4) - 1;
    return strncmp(spec, "i", 1) == 0 ? 2 : -1;
}

static void compare(struct count *c, const char *spec, enum generate_family f, uint64_t i,
                    enum sameness how)
{
    static struct crew crew;
    struct hd_rng rng = hd_rng_for(7, i);
    int64_t bound = bound_of(spec, i);
    struct program p;

    generate(&p, f, 1, i);
    if (i % 2 == 1)
        lengthen(&p, f, i);
    struct tally one = crew_alone(&p, spec, bound, SMALL);

    if (!one.over)
        return;
    crew.trouble = hd_rng_below(&rng, 2) == 0;
    crew.greedy = hd_rng_below(&rng, 3) != 0;
    struct tally all = crew_explore(&crew, 2 + hd_rng_below(&rng, 3), &p, spec, bound, &rng);

    c->programs++;
    c->executions += all.executions;
    c->given += all.given;
    c->tasks += all.tasks;
    c->restarts += all.restarts;
    if (how == SAME_OPTIMAL && generate_is_atomic(&p))
        how = SAME_CLASSES;
    if (same(&one, &all, how))
        return;
    if (c->bad++ < 2)
        show(spec, f, i, &p, &one, &all);
}

/* Variants, of which there are many, are tried on fewer programs. */
static struct count compare_all(const char *spec, enum sameness how)
{
    const char *only = getenv("HEDDLE_ORACLE_FAMILY");
    const char *strategy = getenv("HEDDLE_ORACLE_STRATEGY");
    struct count sum = { 0 };

    if (strategy != NULL && strcmp(strategy, spec) != 0)
        return sum;
    for (enum generate_family f = 0; f < GENERATE_COUNT; f++) {
        struct count c = { 0 };

        if (only != NULL && strcmp(only, generate_name(f)) != 0)
            continue;
        for (uint64_t i = 0; i < programs() / (strchr(spec, ':') != NULL ? 5 : 1); i++)
            compare(&c, spec, f, i, how);
        printf("%-17s %-13s programs %llu executions %llu given away %llu tasks %llu bad %llu\n",
               generate_name(f), spec, (unsigned long long)c.programs,
               (unsigned long long)c.executions, (unsigned long long)c.given,
               (unsigned long long)c.tasks, (unsigned long long)c.bad);
        fflush(stdout);
        sum.bad += c.bad;
        sum.programs += c.programs;
        sum.given += c.given;
        sum.tasks += c.tasks;
        sum.restarts += c.restarts;
    }
    EXPECT_EQ(spec, sum.bad, 0);
    /* Else nothing, or only the first task, was split. */
    if (only == NULL) {
        assert_true(sum.given > sum.programs);
        assert_true(sum.tasks > 3 * sum.programs);
    }
    return sum;
}

static void enumerations_explore_the_same_schedules(void **state)
{
    (void)state;
    compare_all("dfs", SAME_SCHEDULES);
    compare_all("ipb", SAME_SCHEDULES);
    compare_all("idb", SAME_SCHEDULES);
    compare_all("ipb:finish=1", SAME_SCHEDULES);
}

/* Each with a cache of its own; of each class one execution counts, whichever worker runs it. */
static void reducers_count_the_same_classes(void **state)
{
    (void)state;
    compare_all("dfs+cache", SAME_CLASSES);
    compare_all("ipb+cache", SAME_CLASSES);
    compare_all("idb+cache", SAME_CLASSES);
}

/* If one worker finds a mutex whose order matters, or a section that may block, all workers begin again. */
static void lazy_reductions_explore_the_same_states(void **state)
{
    const char *strategy = getenv("HEDDLE_ORACLE_STRATEGY");
    uint64_t restarts = compare_all("dpor-lazy", SAME_STATES).restarts;

    (void)state;
    restarts += compare_all("dfs+lazycache", SAME_LAZY).restarts;
    compare_all("ipb+lazycache", SAME_LAZY);
    compare_all("idb+lazycache", SAME_LAZY);
    if (strategy == NULL)
        assert_true(restarts > programs());
}

static void source_sets_explore_the_same_classes(void **state)
{
    (void)state;
    compare_all("dpor", SAME_CLASSES);
}

static void backtrack_sets_explore_the_same_classes(void **state)
{
    (void)state;
    compare_all("dpor-classic", SAME_CLASSES);
    compare_all("dpor-classic:sleep=0", SAME_SCHEDULES);
}

static void optimal_explores_the_same_classes_and_nothing_twice(void **state)
{
    (void)state;
    compare_all("dpor-optimal", SAME_OPTIMAL);
}

/* One execution of each class that the bound allows, by whomever; what was cut varies. */
static void bounded_reductions_explore_the_same_classes(void **state)
{
    (void)state;
    compare_all("bpor-lazy", SAME_CLASSES);
    compare_all("bpor-lazy:cells=40", SAME_SET);
    compare_all("bpor", SAME_SET);
    compare_all("bpor-source", SAME_SET);
}

/* Where old races are not looked for again, some orders of the workers lose a class: one
 * of nine (the second thread's choice and third's; with both writes, the orders of two
 * pairs; with one, of one pair: 1 + 2 + 2 + 4). */
static void choices_are_explored_in_any_order(void **state)
{
    static struct crew crew;
    const struct program p = { .start = 3, .op = {
        { { OP_ADD, 1, 1, 0 } },
        { { OP_READ, 0, 0, 0 }, { OP_PICK, 2, 0, 0 }, { OP_SKIP_NE, 1, 1, 0 },
          { OP_WRITE, 1, 1, 0 } },
        { { OP_READ, 0, 0, 0 }, { OP_PICK, 2, 0, 0 }, { OP_SKIP_NE, 1, 1, 0 },
          { OP_WRITE, 0, 1, 0 } } } };

    (void)state;
    for (uint64_t i = 0; i < 400; i++) {
        struct hd_rng rng = hd_rng_for(13, i);

        crew.greedy = hd_rng_below(&rng, 2) == 0;
        struct tally t = crew_explore(&crew, 2 + hd_rng_below(&rng, 3), &p, "dpor-optimal", -1,
                                      &rng);

        EXPECT_EQ("executions", t.executions, 1 + 2 + 2 + 4);
        EXPECT_EQ("redundant", t.redundant, 0);
    }
}

/* Only the leftmost task goes on as long as there are more than a few nodes. */
static void a_tree_that_is_too_large_is_explored_from_the_left(void **state)
{
    (void)state;
    compare_all("dpor-optimal:retain=12", SAME_OPTIMAL);
}

/* Whatever is lost, the search ends and does not claim to be complete. */
static void lost_executions_leave_the_others_to_be_explored(void **state)
{
    static const char *const spec[] = { "dfs", "ipb", "dpor-classic", "dpor", "dpor-optimal",
                                        "bpor-lazy", "bpor", "bpor-source", "bpor-naive",
                                        "dfs+cache", "ipb+cache", "dpor-lazy", "dfs+lazycache" };
    static struct crew crew = { .trouble = true, .losses = true };
    uint64_t lost = 0;

    (void)state;
    for (size_t s = 0; s < COUNT_OF(spec); s++)
        for (uint64_t i = 0; i < 40; i++) {
            struct hd_rng rng = hd_rng_for(11, i);
            struct program p;

            generate(&p, i % GENERATE_COUNT, 5, i);
            if (!crew_alone(&p, spec[s], 2, SMALL).over)
                continue;
            crew.greedy = hd_rng_below(&rng, 2) == 0;
            struct tally t = crew_explore(&crew, 2 + hd_rng_below(&rng, 3), &p, spec[s], 2, &rng);

            EXPECT_EQ(spec[s], t.over, 1);
            if (t.lost > 0)
                EXPECT_EQ(spec[s], t.complete, 0);
            lost += t.lost;
        }
    assert_true(lost > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(enumerations_explore_the_same_schedules),
        cmocka_unit_test(reducers_count_the_same_classes),
        cmocka_unit_test(lazy_reductions_explore_the_same_states),
        cmocka_unit_test(source_sets_explore_the_same_classes),
        cmocka_unit_test(backtrack_sets_explore_the_same_classes),
        cmocka_unit_test(optimal_explores_the_same_classes_and_nothing_twice),
        cmocka_unit_test(bounded_reductions_explore_the_same_classes),
        cmocka_unit_test(choices_are_explored_in_any_order),
        cmocka_unit_test(a_tree_that_is_too_large_is_explored_from_the_left),
        cmocka_unit_test(lost_executions_leave_the_others_to_be_explored),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
