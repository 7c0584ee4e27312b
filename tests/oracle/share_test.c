/* SPDX-License-Identifier: BSD-2-Clause
 *
 * share_test.c - an exhaustive search that several workers share explores what one
 * explores alone, whatever the order of their steps, with workers that are cut off and
 * started anew, on random programs of every family.  What one explores is held against
 * the oracle elsewhere (dpor_oracle_test.c).  HEDDLE_ORACLE_PROGRAMS sets how many per
 * family (HEDDLE_DEEP=1: 10,000). */
#include "support/unit.h"

#include <stdlib.h>

#include "oracle/generate.h"
#include "support/crew.h"

#define SMALL 3000 /* executions; what has more is passed over */

struct count {
    uint64_t programs, executions, given, tasks, bad;
};

static uint64_t programs(void)
{
    const char *n = getenv("HEDDLE_ORACLE_PROGRAMS");
    const char *deep = getenv("HEDDLE_DEEP");

    if (n != NULL)
        return strtoull(n, NULL, 10);
    return deep != NULL && deep[0] == '1' ? 10000 : 60;
}

static bool same(const struct tally *a, const struct tally *b, bool schedules)
{
    return a->executions == b->executions && a->buggy == b->buggy && a->classes == b->classes &&
           (!schedules || (a->traces == b->traces && a->redundant == b->redundant)) &&
           a->over == b->over && a->complete == b->complete;
}

static void show(const char *spec, enum generate_family f, uint64_t i, const struct program *p,
                 const struct tally *one, const struct tally *all)
{
    fprintf(stderr, "%s, program %llu of %s: executions %llu alone, %llu shared; redundant %llu, "
            "%llu; buggy %llu, %llu; complete %d, %d; over %d; given away %llu\n", spec,
            (unsigned long long)i, generate_name(f), (unsigned long long)one->executions,
            (unsigned long long)all->executions, (unsigned long long)one->redundant,
            (unsigned long long)all->redundant, (unsigned long long)one->buggy,
            (unsigned long long)all->buggy, one->complete, all->complete, all->over,
            (unsigned long long)all->given);
    generate_print(p, stderr);
}

/* What another program of the family does goes behind what this one does: so there are
 * enough classes for deep splits. */
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
        if (n == 0 || n + m >= PROG_OPS || (f == GENERATE_SPAWN && t == 0))
            continue;
        memcpy(&p->op[t][n], q.op[t], m * sizeof q.op[t][0]);
    }
}

static void compare(struct count *c, const char *spec, enum generate_family f, uint64_t i,
                    bool schedules, bool optimal)
{
    static struct crew crew;
    struct hd_rng rng = hd_rng_for(7, i);
    int64_t bound = strncmp(spec, "i", 1) == 0 ? 2 : -1;
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
    if (same(&one, &all, schedules) && (!optimal || all.redundant == 0))
        return;
    if (c->bad++ < 2)
        show(spec, f, i, &p, &one, &all);
}

/* Variants, of which there are many, are tried on fewer programs. */
static void compare_all(const char *spec, bool schedules, bool optimal)
{
    const char *only = getenv("HEDDLE_ORACLE_FAMILY");
    const char *strategy = getenv("HEDDLE_ORACLE_STRATEGY");
    struct count sum = { 0 };

    if (strategy != NULL && strcmp(strategy, spec) != 0)
        return;
    for (enum generate_family f = 0; f < GENERATE_COUNT; f++) {
        struct count c = { 0 };

        if (only != NULL && strcmp(only, generate_name(f)) != 0)
            continue;
        for (uint64_t i = 0; i < programs() / (strchr(spec, ':') != NULL ? 5 : 1); i++)
            compare(&c, spec, f, i, schedules, optimal);
        printf("%-17s %-13s programs %llu executions %llu given away %llu tasks %llu bad %llu\n",
               generate_name(f), spec, (unsigned long long)c.programs,
               (unsigned long long)c.executions, (unsigned long long)c.given,
               (unsigned long long)c.tasks, (unsigned long long)c.bad);
        fflush(stdout);
        sum.bad += c.bad;
        sum.programs += c.programs;
        sum.given += c.given;
        sum.tasks += c.tasks;
    }
    EXPECT_EQ(spec, sum.bad, 0);
    /* Else nothing, or only the first task, was split.  (With choices dpor-optimal gives
     * nothing away, which only a family of its own would show.) */
    if (only == NULL) {
        assert_true(sum.given > sum.programs);
        assert_true(sum.tasks > 3 * sum.programs);
    }
}

static void enumerations_explore_the_same_schedules(void **state)
{
    (void)state;
    compare_all("dfs", true, false);
    compare_all("ipb", true, false);
    compare_all("idb", true, false);
    compare_all("ipb:finish=1", true, false);
}

static void source_sets_explore_the_same_classes(void **state)
{
    (void)state;
    compare_all("dpor", false, false);
}

static void backtrack_sets_explore_the_same_classes(void **state)
{
    (void)state;
    compare_all("dpor-classic", false, false);
    compare_all("dpor-classic:sleep=0", true, false);
}

static void optimal_explores_the_same_classes_and_nothing_twice(void **state)
{
    (void)state;
    compare_all("dpor-optimal", false, true);
}

/* Nobody but the leftmost task goes on as long as there are more than a few nodes. */
static void a_tree_that_is_too_large_is_explored_from_the_left(void **state)
{
    (void)state;
    compare_all("dpor-optimal:retain=12", false, true);
}

/* Whatever is lost, the search comes to an end and does not claim to be complete. */
static void lost_executions_leave_the_others_to_be_explored(void **state)
{
    static const char *const spec[] = { "dfs", "ipb", "dpor-classic", "dpor", "dpor-optimal" };
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
        cmocka_unit_test(source_sets_explore_the_same_classes),
        cmocka_unit_test(backtrack_sets_explore_the_same_classes),
        cmocka_unit_test(optimal_explores_the_same_classes_and_nothing_twice),
        cmocka_unit_test(a_tree_that_is_too_large_is_explored_from_the_left),
        cmocka_unit_test(lost_executions_leave_the_others_to_be_explored),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
