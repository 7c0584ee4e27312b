/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bounded_vectors_test.c - bounded reduction on programs whose number of classes per
 * preemption bound is known, from the literature and from an independent enumeration
 * (a prototype outside this project), and on the smallest programs that showed a rule
 * to be missing.
 *
 * Main creates all threads at once and ends, so that the first of them is free. */
#include "support/unit.h"

#include "oracle/judge.h"
#include "support/compare.h"
#include "support/programs.h"

#define THREAD(p, t, ...) \
    do { \
        const struct prog_op ops_[] = { __VA_ARGS__ }; \
        memcpy((p)->op[t], ops_, sizeof ops_); \
    } while (0)

#define BOUNDS 4

static void expect(const char *name, const struct program *p, const char *spec, unsigned bounds,
                   const uint64_t *want)
{
    for (unsigned b = 0; b < bounds; b++) {
        struct explored e = explore_program(p, spec, b);
        char what[80];

        snprintf(what, sizeof what, "%s, %s, bound %u", name, spec, b);
        EXPECT_EQ(what, e.executions, want[b]);
    }
}

/* Every class once: the number of classes in bound. */
static void expect_classes(const char *name, const struct program *p, unsigned bounds,
                           const uint64_t *want)
{
    expect(name, p, "bpor-lazy", bounds, want);
}

static void main_creates(struct program *p, unsigned threads)
{
    memset(p, 0, sizeof *p);
    p->op[0][0] = (struct prog_op)CREATE_ALL(1, (int8_t)threads);
}

/* x = 0; three threads, each twice x++ and then a read: R W R W R. */
static void micro(void **state)
{
    static const uint64_t want[] = { 6, 78, 582, 2868, 9492, 21990, 36864, 47118, 50742, 51294,
                                     51318 };
    struct program p;
    struct explored e;

    (void)state;
    main_creates(&p, 3);
    for (unsigned t = 1; t <= 3; t++)
        THREAD(&p, t, READ(0), WRITE(0, 1), READ(0), WRITE(0, 1), READ(0));
    expect_classes("micro", &p, getenv("HEDDLE_DEEP") != NULL ? COUNT_OF(want) : BOUNDS, want);
    /* deepening counts each class once, at the least bound that it needs */
    e = explore_program(&p, "bpor-lazy", -1);
    EXPECT_EQ("micro", e.executions, 51318);
    EXPECT_EQ("micro", e.complete, 1);
    EXPECT_EQ("micro", (uint64_t)e.bound, COUNT_OF(want) - 1);
    EXPECT_EQ("micro", e.at_bound, want[10] - want[9]);
}

/* One writer first, n readers with a local step before the read.  bpor: the numbers of
 * the prototype for Coons' algorithm, which tend to n! orders of the readers. */
static void writer_and_readers(void **state)
{
    static const uint64_t coons[][BOUNDS] = { { 5, 13, 19, 19 }, { 16, 73, 181, 271 },
                                              { 65, 489, 1965, 4845 } };

    (void)state;
    for (unsigned n = 2; n <= 4; n++) {
        uint64_t classes = UINT64_C(1) << n;
        struct program p;

        main_creates(&p, n + 1);
        THREAD(&p, 1, WRITE(0, 2));
        for (unsigned t = 2; t <= n + 1; t++)
            THREAD(&p, t, READ((uint8_t)(t - 1)), READ(0));
        expect_classes("writer and readers", &p, BOUNDS,
                       (uint64_t[]){ classes, classes, classes, classes });
        expect("writer and readers", &p, "bpor", BOUNDS, coons[n - 2]);
        expect("writer and readers", &p, "bpor-source", BOUNDS, coons[n - 2]);
    }
}

static void figure_2_4(void **state)
{
    struct program p;

    (void)state;
    main_creates(&p, 3);
    THREAD(&p, 1, READ(0), SKIP_NE(1, 0), WRITE(2, 1));
    THREAD(&p, 2, READ(1), SKIP_NE(1, 0), WRITE(0, 1));
    THREAD(&p, 3, READ(2), SKIP_NE(1, 0), WRITE(1, 1));
    expect_classes("Fig 2.4", &p, BOUNDS, (uint64_t[]){ 3, 4, 4, 4 });
}

/* account and lazy: three critical sections of one mutex, in any order. */
static void three_sections(void **state)
{
    static const uint64_t want[] = { 6, 6, 6, 6 };
    struct program p;

    (void)state;
    main_creates(&p, 3);
    THREAD(&p, 1, LOCK(0), READ(1), SKIP_NE(2, 1), READ(2), READ(0), UNLOCK(0));
    THREAD(&p, 2, LOCK(0), ADD(0, 2), WRITE(1, 1), UNLOCK(0));
    THREAD(&p, 3, LOCK(0), ADD(0, -4), WRITE(2, 1), UNLOCK(0));
    expect_classes("account", &p, BOUNDS, want);
    main_creates(&p, 3);
    THREAD(&p, 0, CREATE_ALL(1, 3), JOIN(1), JOIN(2), JOIN(3));
    THREAD(&p, 1, LOCK(0), READ(0), UNLOCK(0));
    THREAD(&p, 2, LOCK(0), ADD(0, 1), UNLOCK(0));
    THREAD(&p, 3, LOCK(0), ADD(0, 2), UNLOCK(0));
    expect_classes("lazy", &p, BOUNDS, want);
}

static void lastzero(void **state)
{
    static const uint64_t want[] = { 12, 28, 64, 144 };

    (void)state;
    for (unsigned n = 3; n <= 6; n++) {
        struct program p;

        main_creates(&p, n + 1);
        for (unsigned i = 0; i <= n; i++) {
            p.op[1][2 * i] = (struct prog_op)READ((uint8_t)(n - i));
            p.op[1][2 * i + 1] = (struct prog_op)SKIP_NE(PROG_OPS, 1);
        }
        for (unsigned j = 1; j <= n; j++)
            THREAD(&p, j + 1, READ((uint8_t)(j - 1)), WRITE((uint8_t)j, 1));
        expect_classes("lastzero", &p, 2, (uint64_t[]){ want[n - 3], want[n - 3] });
        if (n == 5) /* printed for BPOR as well; with one preemption local steps differ */
            expect("lastzero", &p, "bpor", 1, (uint64_t[]){ 252 });
    }
}

/* Five threads take the first cell that is free; a failed attempt is a read. */
static void indexermod(void **state)
{
    struct program p;

    (void)state;
    main_creates(&p, 5);
    for (unsigned t = 1; t <= 5; t++)
        for (unsigned i = 0; i < 5; i++) {
            p.op[t][2 * i] = (struct prog_op){ OP_CAS, (uint8_t)i, 0, 1 };
            p.op[t][2 * i + 1] = (struct prog_op)SKIP_NE(PROG_OPS, 0);
        }
    expect_classes("indexermod", &p, 3, (uint64_t[]){ 120, 120, 120 });
    expect("indexermod", &p, "bpor", 1, (uint64_t[]){ 120 });
}

/* ---- programs that a rule is needed for -------------------------------------------------- */

static void misses_nothing(const char *name, const struct program *p, unsigned bound)
{
    const struct judge_claim claims[] = {
        { "bpor-lazy", JUDGE_CLASSES | JUDGE_ONCE | JUDGE_EXACT, JUDGE_PREEMPTIONS, bound },
        { "bpor-lazy:cells=0", JUDGE_CLASSES, JUDGE_PREEMPTIONS, bound },
        { "bpor", JUDGE_CLASSES, JUDGE_PREEMPTIONS, bound },
        { "bpor-source", JUDGE_CLASSES, JUDGE_PREEMPTIONS, bound },
    };

    for (size_t i = 0; i < COUNT_OF(claims); i++) {
        struct judgement j = { 0 };

        if (!judge_program(&j, p, &claims[i]))
            fail_msg("%s, %s: %llu missed", name, claims[i].spec, (unsigned long long)j.missed);
        EXPECT_EQ(name, j.programs, 1);
    }
}

static void rules(void **state)
{
    struct program p;

    (void)state;
    /* a block is not atomic: 6 classes with one preemption */
    main_creates(&p, 2);
    THREAD(&p, 1, READ(3), WRITE(1, 1), READ(0), READ(2));
    THREAD(&p, 2, WRITE(0, 1), READ(1), WRITE(2, 1));
    expect_classes("blocks", &p, 2, (uint64_t[]){ 2, 6 });
    misses_nothing("blocks", &p, 1);
    /* sleep sets under a bound on the execution itself would lose "2 before 1" */
    main_creates(&p, 2);
    THREAD(&p, 1, READ(3), READ(0));
    THREAD(&p, 2, WRITE(0, 1));
    expect_classes("local step", &p, 2, (uint64_t[]){ 2, 2 });
    misses_nothing("local step", &p, 0);
    expect("local step", &p, "bpor-naive", 2, (uint64_t[]){ 1, 2 });
    /* R2: the bound allows one of two independent steps, not both */
    p = (struct program){ .start = 3 };
    THREAD(&p, 0, READ(0), ADD(0, 1));
    THREAD(&p, 1, ADD(0, 1), READ(1), READ(0));
    THREAD(&p, 2, ADD(1, 1), { OP_PICK, 2, 0, 0 }, SKIP_NE(1, 1), WRITE(0, 1));
    misses_nothing("R2", &p, 2);
    /* R4: the compare-and-swap fails wherever the bound lets it run */
    p = (struct program){ .start = 4 };
    THREAD(&p, 0, { OP_CAS, 1, 0, 2 });
    THREAD(&p, 1, READ(0));
    THREAD(&p, 2, READ(1), WRITE(1, 1));
    THREAD(&p, 3, READ(1));
    misses_nothing("R4", &p, 1);
    /* before the first write it fails, for nothing; between the writes it would succeed,
     * and cost one */
    main_creates(&p, 2);
    THREAD(&p, 1, READ(0), WRITE(0, 1), WRITE(0, 0));
    THREAD(&p, 2, { OP_CAS, 0, 1, 0 });
    misses_nothing("the cost of failing", &p, 0);
    /* source sets with all of v */
    p = (struct program){ .start = 3 };
    THREAD(&p, 0, ADD(0, 1), ADD(0, 1));
    THREAD(&p, 1, READ(1), READ(0));
    THREAD(&p, 2, READ(0));
    misses_nothing("source", &p, 1);
    /* a thread is left for nothing where it blocks: also pairs that cannot be reversed
     * matter to those that bound the execution itself */
    p = (struct program){ .start = 3 };
    THREAD(&p, 0, LOCK(0), UNLOCK(0), LOCK(1));
    THREAD(&p, 1, LOCK(1), LOCK(0));
    THREAD(&p, 2, LOCK(0), LOCK(1));
    misses_nothing("deadlocks", &p, 1);
}

static void rule_of_atomic_sections(void **state)
{
    struct program p = { .start = 3 };

    (void)state;
    THREAD(&p, 0, { OP_SECTION_BEGIN, 0, 0, 0 }, READ(1), { OP_SECTION_END, 0, 0, 0 });
    THREAD(&p, 1, READ(0), READ(1));
    THREAD(&p, 2, { OP_SECTION_BEGIN, 0, 0, 0 }, { OP_SECTION_END, 0, 0, 0 }, WRITE(1, 0));
    misses_nothing("R6, two preemptions", &p, 2);
    p = (struct program){ .start = 3 };
    THREAD(&p, 0, { OP_SECTION_BEGIN, 0, 0, 0 }, { OP_SECTION_END, 0, 0, 0 }, ADD(0, 0));
    THREAD(&p, 1, READ(1), READ(0));
    THREAD(&p, 2, { OP_SECTION_BEGIN, 0, 0, 0 }, READ(0), { OP_SECTION_END, 0, 0, 0 });
    misses_nothing("R6, one preemption", &p, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(micro),
        cmocka_unit_test(writer_and_readers),
        cmocka_unit_test(figure_2_4),
        cmocka_unit_test(three_sections),
        cmocka_unit_test(lastzero),
        cmocka_unit_test(indexermod),
        cmocka_unit_test(rules),
        cmocka_unit_test(rule_of_atomic_sections),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
