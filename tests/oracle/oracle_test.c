/* SPDX-License-Identifier: BSD-2-Clause
 *
 * oracle_test.c - the oracle itself: what it takes for equal has the same end, and the
 * programs that it is fed with are worth it. */
#include "support/unit.h"

#include "oracle/judge.h"
#include "oracle/print_c.h"
#include "support/brute.h"
#include "support/programs.h"

#define PROGRAMS 300

/* Only these families have mutexes that no thread tries. */
static bool has_lazy_mutexes(enum generate_family f)
{
    return f == GENERATE_MUTEX || f == GENERATE_COND || f == GENERATE_TIMED ||
           f == GENERATE_MIXED || f == GENERATE_SECTIONS;
}

static void equal_order_means_equal_end(void **state)
{
    (void)state;
    for (enum generate_family f = 0; f < GENERATE_COUNT; f++) {
        unsigned classes = 0, lazy = 0;

        for (unsigned i = 0; i < PROGRAMS; i++) {
            struct program p;

            generate(&p, f, 2, i);
            const struct oracle *o = judge_oracle(&p);

            if (o == NULL)
                continue;
            EXPECT_EQ(generate_name(f), o->unlike, 0);
            EXPECT_EQ(generate_name(f), o->unlike_lazy, 0);
            classes += o->n;
            lazy += o->nlazy;
        }
        if (has_lazy_mutexes(f))
            assert_true(lazy < classes);
        else
            EXPECT_EQ(generate_name(f), lazy, classes);
    }
}

/* Whether the attempt succeeds is seen by its thread: those sections stay ordered. */
static void a_mutex_that_is_tried_keeps_its_order(void **state)
{
    struct program p = { .start = 2, .op = {
        { LOCK(0), UNLOCK(0), LOCK(1), UNLOCK(1) },
        { { OP_TRYLOCK, 0, 0, 0 }, SKIP_NE(1, 1), UNLOCK(0), LOCK(1), UNLOCK(1) },
    } };
    const struct oracle *o = judge_oracle(&p);

    (void)state;
    assert_non_null(o);
    EXPECT_EQ("end", o->unlike_lazy, 0);
    /* before, between or after lock and unlock of mutex 0; mutex 1 orders nothing more */
    EXPECT_EQ("lazy classes", o->nlazy, 3);
    assert_true(o->n > o->nlazy);
}

/* The cheapest schedule of all classes together, counted independently. */
static void costs_are_those_of_brute_force(void **state)
{
    static struct brute_schedule schedules[20000];
    unsigned compared = 0;

    (void)state;
    for (unsigned i = 0; i < 1000; i++) {
        struct brute b = { .schedule = schedules, .capacity = COUNT_OF(schedules) };
        unsigned within[2][2] = { { 0 } }, least[2][2] = { { 0 } };
        struct program p;

        generate(&p, (enum generate_family)(i % GENERATE_COUNT), 3, i);
        const struct oracle *o = judge_oracle(&p);

        brute_enumerate(&b, &p);
        if (o == NULL || b.full)
            continue;
        EXPECT_EQ("schedules", b.n, o->schedules);
        for (unsigned k = 0; k < b.n; k++)
            for (unsigned bound = 0; bound < 2; bound++) {
                within[0][bound] |= schedules[k].preemptions <= bound;
                within[1][bound] |= schedules[k].delays <= bound;
            }
        for (unsigned k = 0; k < o->n; k++)
            for (unsigned bound = 0; bound < 2; bound++) {
                least[0][bound] |= o->class[k].preemptions <= bound;
                least[1][bound] |= o->class[k].delays <= bound;
            }
        assert_memory_equal(within, least, sizeof within);
        compared++;
    }
    assert_true(compared > 900);
}

/* A class has several schedules; what counts is the cheapest, for each cost by itself. */
static void the_cheapest_schedule_counts(void **state)
{
    /* x = 1 | y = 1; r = x: reading 1 or not needs no preemption, either order of threads;
     * from thread 0 on, thread 1 comes first at the price of one delay */
    struct program p = { .start = 2, .op = { { WRITE(0, 1) }, { WRITE(1, 1), READ(0) } } };
    const struct oracle *o = judge_oracle(&p);
    unsigned delays = 0;

    (void)state;
    assert_non_null(o);
    EXPECT_EQ("schedules", o->schedules, 3);
    EXPECT_EQ("classes", o->n, 2);
    for (unsigned i = 0; i < o->n; i++)
        delays += o->class[i].delays;
    EXPECT_EQ("delays", delays, 1);
    EXPECT_EQ("without preemption", oracle_within(o, 0), 1);
}

static void count_kinds(const struct program *p, unsigned *programs_with)
{
    bool has[OP_COUNT] = { false };

    for (unsigned t = 0; t < PROG_THREADS; t++)
        for (unsigned i = 0; i < print_c_length(p, t); i++)
            has[p->op[t][i].kind] = true;
    for (unsigned k = 0; k < OP_COUNT; k++)
        programs_with[k] += has[k];
}

/* Every operation that is fit for reduction, and programs in which it matters. */
static void generated_programs_are_rich(void **state)
{
    unsigned with[OP_COUNT] = { 0 };

    (void)state;
    for (enum generate_family f = 0; f < GENERATE_COUNT; f++) {
        unsigned several_ends = 0;

        for (unsigned i = 0; i < PROGRAMS; i++) {
            struct program p;

            generate(&p, f, 4, i);
            assert_true(print_c_possible(&p));
            count_kinds(&p, with);
            const struct oracle *o = judge_oracle(&p);

            for (unsigned k = 1; o != NULL && k < o->n; k++)
                if (o->class[k].state != o->class[0].state) {
                    several_ends++;
                    break;
                }
        }
        if (several_ends < PROGRAMS / 10)
            fail_msg("%s: %u programs have several ends", generate_name(f), several_ends);
    }
    for (unsigned k = OP_PICK; k < OP_COUNT; k++)
        if (with[k] < 50)
            fail_msg("operation %u is in %u programs only", k, with[k]);
}

/* Branches go both ways and loops go round: some thread makes different numbers of steps. */
static bool steps_differ(const struct program *p, unsigned tries)
{
    unsigned least = UINT32_MAX, most = 0;

    for (unsigned i = 0; i < tries; i++) {
        struct hd_rng rng = hd_rng_for(5, i);
        struct prog_state s;
        unsigned steps = 0;

        for (prog_start(&s, p); !prog_over(&s) && steps < 100;) {
            unsigned t = hd_rng_below(&rng, s.created);
            uint32_t n;
            int chooser = prog_chooser(&s, &n);

            if (chooser >= 0) {
                prog_choose(&s, (unsigned)chooser, hd_rng_below(&rng, n));
            } else if (prog_enabled(&s, t)) {
                prog_step(&s, t);
                steps++;
            }
        }
        if (prog_buggy(&s))
            continue;
        least = steps < least ? steps : least;
        most = steps > most ? steps : most;
    }
    return least < most;
}

static void branches_and_loops_are_taken(void **state)
{
    static const enum generate_family with[] = { GENERATE_MEMORY, GENERATE_MUTEX, GENERATE_COND,
                                                 GENERATE_FUTEX, GENERATE_CHOICE };

    (void)state;
    for (size_t f = 0; f < COUNT_OF(with); f++) {
        unsigned n = 0;

        for (unsigned i = 0; i < PROGRAMS; i++) {
            struct program p;

            generate(&p, with[f], 6, i);
            n += steps_differ(&p, 20);
        }
        if (n < PROGRAMS / 20)
            fail_msg("%s: %u programs have steps that depend on values", generate_name(with[f]), n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_order_means_equal_end),
        cmocka_unit_test(a_mutex_that_is_tried_keeps_its_order),
        cmocka_unit_test(costs_are_those_of_brute_force),
        cmocka_unit_test(the_cheapest_schedule_counts),
        cmocka_unit_test(generated_programs_are_rich),
        cmocka_unit_test(branches_and_loops_are_taken),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
