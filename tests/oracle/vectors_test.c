/* SPDX-License-Identifier: BSD-2-Clause
 *
 * vectors_test.c - programs whose number of classes is known in closed form or from
 * the literature: dpor-optimal runs exactly so many executions, and dpor and
 * dpor-classic count as many besides their redundant ones.  For some also the lazy classes, and how many
 * classes there are within a number of preemptions. */
#include "support/unit.h"

#include "oracle/judge.h"
#include "support/compare.h"
#include "support/programs.h"

#define THREAD(p, t, ...)                                                  \
    do {                                                                   \
        const struct prog_op ops_[] = { __VA_ARGS__ };                     \
        memcpy((p)->op[t], ops_, sizeof ops_);                             \
    } while (0)

static void expect(const char *name, const struct program *p, uint64_t want)
{
    static const char *const specs[] = { "dpor-optimal", "dpor", "dpor-classic" };

    for (size_t i = 0; i < COUNT_OF(specs); i++) {
        struct explored e = explore_program(p, specs[i], -1);

        EXPECT_EQ(name, e.executions, want);
        EXPECT_EQ(name, e.complete, 1);
    }
}

static const struct judge_claim optimal = { .spec = "dpor-optimal",
                                            .promises = JUDGE_CLASSES | JUDGE_ONCE | JUDGE_LEAN };

static const struct judge_claim lazily = { .spec = "dpor-lazy",
                                           .promises = JUDGE_LAZY | JUDGE_STATES };

/* The oracle says the same, where it can. */
static void expect_judged(const char *name, const struct program *p, uint64_t want)
{
    struct judgement j = { 0 };

    expect(name, p, want);
    assert_true(judge_program(&j, p, &optimal));
    EXPECT_EQ(name, j.classes, want);
}

/* The whole truth, with no limit but the room for classes. */
static struct oracle whole(const struct program *p)
{
    static struct oracle_class classes[ORACLE_CLASSES];
    struct oracle o = { .class = classes, .capacity = ORACLE_CLASSES };

    oracle_enumerate(&o, p);
    assert_false(o.full || o.misused);
    EXPECT_EQ("equal order, different end", o.unlike + o.unlike_lazy, 0);
    return o;
}

/* The same threads, created at once by a main that then ends: the thread that runs first
 * preempts no thread, as the literature counts. */
static struct program created(const struct program *p)
{
    struct program q = { .op = { { CREATE_ALL(1, (int8_t)p->start) } } };

    memcpy(q.op[1], p->op[0], p->start * sizeof p->op[0]);
    return q;
}

/* Classes within 0, 1, 2 … preemptions; the last number is that of all. */
static void expect_within(const char *name, const struct program *p, const unsigned *want, size_t n)
{
    struct program q = created(p);
    struct oracle o = whole(&q);

    for (size_t b = 0; b < n; b++)
        EXPECT_EQ(name, oracle_within(&o, (unsigned)b), want[b]);
    EXPECT_EQ(name, o.n, want[n - 1]);
}
#define EXPECT_WITHIN(name, p, ...)                                        \
    do {                                                                   \
        const unsigned want_[] = { __VA_ARGS__ };                          \
        expect_within((name), (p), want_, COUNT_OF(want_));                \
    } while (0)

static void two_increments_have_four_classes(void **state)
{
    struct program p = { .start = 2 }, q = { .start = 2 };

    (void)state;
    THREAD(&p, 0, READ(0), WRITE(0, 1));
    THREAD(&p, 1, READ(0), WRITE(0, 1));
    expect_judged("two x++", &p, 4);
    /* without sleep sets all schedules: any two neighbours race, or are of one thread */
    EXPECT_EQ("two x++, no sleep sets", explore_program(&p, "dpor-classic:sleep=0", -1).executions,
              6);
    EXPECT_EQ("two x++", whole(&p).schedules, 6);
    /* the local step between is a point as well: of a cell that no thread shares */
    THREAD(&q, 0, READ(0), ADD(1, 1), WRITE(0, 1));
    THREAD(&q, 1, READ(0), ADD(2, 1), WRITE(0, 1));
    expect_judged("two x++ with a local step", &q, 4);
    EXPECT_EQ("two x++ with a local step", whole(&q).schedules, 20);
}

/* Threads that were run first, in whatever execution: what was needed at the root. */
static void note_first(struct explorer *x, void *ctx)
{
    *(unsigned *)ctx |= 1u << x->exec.decisions[0].chosen;
}

static unsigned first_threads(const struct program *p, const char *spec)
{
    struct explorer x;
    unsigned threads = 0;

    explorer_open(&x, p, spec, -1, 1);
    x.seen = note_first;
    x.ctx = &threads;
    explorer_all(&x, UINT64_MAX);
    explorer_close(&x);
    return (unsigned)__builtin_popcount(threads);
}

/* p: if x == 0 then z = 1; q: if y == 0 then x = 1; r: if z == 0 then y = 1. */
static void figure_2_4(void **state)
{
    struct program p = { .start = 3 };

    (void)state;
    THREAD(&p, 0, READ(0), SKIP_NE(1, 0), WRITE(2, 1));
    THREAD(&p, 1, READ(1), SKIP_NE(1, 0), WRITE(0, 1));
    THREAD(&p, 2, READ(2), SKIP_NE(1, 0), WRITE(1, 1));
    expect_judged("Fig 2.4", &p, 4);
    EXPECT_WITHIN("Fig 2.4", &p, 3, 4);
    /* any two threads are a source set; no two are persistent */
    EXPECT_EQ("Fig 2.4, source set", first_threads(&p, "dpor-optimal"), 2);
    EXPECT_EQ("Fig 2.4, persistent set", first_threads(&p, "dpor-classic"), 3);
}

static void a_writer_and_n_readers_have_2_to_the_n(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 7; n++) {
        struct program p = { .start = (uint8_t)(n + 1) };

        THREAD(&p, 0, WRITE(0, 1));
        for (unsigned t = 1; t <= n; t++)
            THREAD(&p, t, READ(0));
        expect("writer and readers", &p, UINT64_C(1) << n);
        EXPECT_WITHIN("writer and readers", &p, 1u << n);
    }
}

/* Reader: i = N; while (i > 0 && a[i] != 0) i--.  Writer j: a[j] = a[j-1] + 1. */
static struct program lastzero_of(unsigned n)
{
    struct program p = { .start = (uint8_t)(n + 1) };

    for (unsigned i = 0; i < n; i++) {
        p.op[0][2 * i] = (struct prog_op)READ((uint8_t)(n - i));
        p.op[0][2 * i + 1] = (struct prog_op)SKIP_NE(PROG_OPS, 1);
    }
    for (unsigned j = 1; j <= n; j++)
        THREAD(&p, j, READ((uint8_t)(j - 1)), WRITE((uint8_t)j, 1));
    return p;
}

static void lastzero(void **state)
{
    static const uint64_t want[] = { 12, 28, 64, 144 };

    (void)state;
    for (unsigned n = 3; n <= 6; n++) {
        struct program p = lastzero_of(n);

        expect("lastzero", &p, want[n - 3]);
        if (n == 3)
            EXPECT_WITHIN("lastzero", &p, 12);
    }
}

/* What source sets repeat: the best peer begins 6.1 executions per class here. */
static void source_sets_repeat_little(void **state)
{
    struct program p = lastzero_of(10);
    struct explorer x;

    (void)state;
    explorer_open(&x, &p, "dpor", -1, 1);
    explorer_all(&x, UINT64_MAX);
    EXPECT_EQ("lastzero 10", explorer_totals(&x)->executions, 3328);
    assert_true(explorer_totals(&x)->begun < 2 * 3328);
    explorer_close(&x);
}

/* Three threads of R W R W R. */
static void micro(void **state)
{
    struct program p = { .start = 3 };

    (void)state;
    for (unsigned t = 0; t < 3; t++)
        THREAD(&p, t, READ(0), WRITE(0, 1), READ(0), WRITE(0, 1), READ(0));
    expect("micro", &p, 51318);
    EXPECT_WITHIN("micro", &p, 6, 78, 582, 2868, 9492, 21990, 36864, 47118, 50742, 51294, 51318);
}

/* Cells: 0 balance, 1 deposit done, 2 withdraw done.  The check looks at the second flag
 * only if the first is set. */
static void account(void **state)
{
    struct program p = { .start = 3 };

    (void)state;
    THREAD(&p, 0, LOCK(0), READ(1), SKIP_NE(3, 1), READ(2), SKIP_NE(1, 1), READ(0), UNLOCK(0));
    THREAD(&p, 1, LOCK(0), ADD(0, 2), WRITE(1, 1), UNLOCK(0));
    THREAD(&p, 2, LOCK(0), ADD(0, -4), WRITE(2, 1), UNLOCK(0));
    expect_judged("account", &p, 6);
    EXPECT_WITHIN("account", &p, 6);
    /* check and withdraw before deposit: nothing but the mutex orders the two */
    EXPECT_EQ("account", whole(&p).nlazy, 5);
}

/* data++ | data += 2 | if (data >= 3): any two sections conflict on data. */
static void lazy(void **state)
{
    struct program p = { .start = 3 };

    (void)state;
    THREAD(&p, 0, LOCK(0), READ(0), UNLOCK(0));
    THREAD(&p, 1, LOCK(0), READ(0), WRITE(0, 1), UNLOCK(0));
    THREAD(&p, 2, LOCK(0), READ(0), WRITE(0, 2), UNLOCK(0));
    expect_judged("lazy", &p, 6);
    EXPECT_WITHIN("lazy", &p, 6);
    EXPECT_EQ("lazy", whole(&p).nlazy, 6);
    EXPECT_EQ("lazy", explore_program(&p, "dpor-lazy", -1).executions, 6);
}

static int by_size(const void *a, const void *b)
{
    return *(const int *)b - *(const int *)a;
}

/* One section of one mutex each: x = 1 | y = 2 | twice: if (x == 0) y = own number. */
static void figure_4_1(void **state)
{
    static const int want[] = { 8, 3, 3, 2, 2, 1, 1, 1, 1, 1, 1 };
    struct program p = { .start = 4 };
    int size[24] = { 0 };
    struct judgement j = { 0 };

    (void)state;
    THREAD(&p, 0, LOCK(0), WRITE(0, 1), UNLOCK(0));
    THREAD(&p, 1, LOCK(0), WRITE(1, 2), UNLOCK(0));
    for (int8_t t = 2; t < 4; t++)
        THREAD(&p, t, LOCK(0), READ(0), SKIP_NE(1, 0), WRITE(1, (int8_t)(t + 1)), UNLOCK(0));
    expect_judged("Fig 4.1", &p, 24);
    struct oracle o = whole(&p);

    EXPECT_EQ("Fig 4.1", o.nlazy, COUNT_OF(want));
    for (unsigned i = 0; i < o.n; i++) { /* counted at the first of each lazy class */
        unsigned first = 0;

        while (o.class[first].lazy != o.class[i].lazy)
            first++;
        size[first]++;
    }
    qsort(size, COUNT_OF(size), sizeof size[0], by_size);
    assert_memory_equal(size, want, sizeof want);
    assert_true(judge_program(&j, &p, &lazily));
    assert_in_range(j.executions, o.nlazy, 23);
}

/* Sections that touch nothing in common are run in one order. */
static void sections_that_commute_run_once(void **state)
{
    struct program p = { .start = 4 };

    (void)state;
    for (unsigned t = 0; t < 4; t++)
        THREAD(&p, t, LOCK(0), ADD((uint8_t)t, 1), UNLOCK(0));
    expect("commuting sections", &p, 24);
    EXPECT_EQ("commuting sections, lazy", explore_program(&p, "dpor-lazy", -1).executions, 1);
}

/* Thread t stores w = t, t + 11, t + 22, t + 33 at (7 w) % 128, or one further where that
 * is taken.  Of twelve threads only the first and the last meet, at 11, 22 and 33; here a
 * cell is named by the w that wants it, those one further are 45 to 47. */
static void indexer_thread(struct program *p, unsigned at, unsigned t)
{
    unsigned n = 0;

    for (unsigned i = 0; i < 4; i++) {
        uint8_t w = (uint8_t)(11 * i + t);

        p->op[at][n++] = (struct prog_op)CAS(w, 0, (int8_t)w);
        if (w == 0 || w % 11 != 0 || w == 44)
            continue;
        p->op[at][n++] = (struct prog_op)SKIP_NE(1, 0);
        p->op[at][n++] = (struct prog_op)CAS((uint8_t)(44 + w / 11), 0, (int8_t)w);
    }
}

static void indexer0(void **state)
{
    struct program p = { .start = 12 }, meeting = { .start = 2 };

    (void)state;
    for (unsigned t = 0; t < 12; t++)
        indexer_thread(&p, t, t);
    expect("indexer0", &p, 8);
    indexer_thread(&meeting, 0, 0);
    indexer_thread(&meeting, 1, 11);
    expect_judged("indexer0, the two that meet", &meeting, 8);
    EXPECT_WITHIN("indexer0, the two that meet", &meeting, 2, 6, 8);
}

/* All probe from the start: a failed compare-and-swap reads, so the order of success
 * is all that there is. */
static void indexermod(void **state)
{
    (void)state;
    for (unsigned n = 2, factorial = 2; n <= 5; n++, factorial *= n) {
        struct program p = { .start = (uint8_t)n };

        for (unsigned t = 0; t < n; t++)
            for (unsigned i = 0; i < n; i++) {
                p.op[t][2 * i] = (struct prog_op)CAS((uint8_t)i, 0, 1);
                p.op[t][2 * i + 1] = (struct prog_op)SKIP_NE(PROG_OPS, 0);
            }
        expect("indexermod", &p, factorial);
        if (n <= 4)
            EXPECT_WITHIN("indexermod", &p, factorial);
    }
}

/* T threads, each K times { lock; x++; unlock }: (T K)! / (K!)^T. */
static void sections_of_one_mutex_have_multinomially_many(void **state)
{
    static const struct { unsigned threads, times; uint64_t want; } rows[] = {
        { 2, 1, 2 }, { 2, 2, 6 }, { 3, 1, 6 }, { 2, 3, 20 }, { 3, 2, 90 }, { 4, 2, 2520 },
    };

    (void)state;
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        struct program p = { .start = (uint8_t)rows[r].threads };

        for (unsigned t = 0; t < rows[r].threads; t++)
            for (unsigned i = 0; i < rows[r].times; i++) {
                p.op[t][3 * i] = (struct prog_op)LOCK(0);
                p.op[t][3 * i + 1] = (struct prog_op)ADD(0, 1);
                p.op[t][3 * i + 2] = (struct prog_op)UNLOCK(0);
            }
        expect("mutex", &p, rows[r].want);
    }
}

/* One-shot producers and consumers on one condition variable. */
static void producers_and_consumers(unsigned each, bool inside, uint64_t want)
{
    struct program p = { .start = (uint8_t)(2 * each) };

    for (unsigned t = 0; t < each; t++) {
        if (inside)
            THREAD(&p, t, LOCK(0), ADD(0, 1), SIGNAL(0), UNLOCK(0));
        else
            THREAD(&p, t, LOCK(0), ADD(0, 1), UNLOCK(0), SIGNAL(0));
        THREAD(&p, each + t, LOCK(0), READ(0), SKIP_NE(2, 0), WAIT(0, 0), BACK(3), ADD(0, -1),
               UNLOCK(0));
    }
    expect(inside ? "signal inside the lock" : "signal after unlock", &p, want);
}

static void token_wake_ups_count_as_decided(void **state)
{
    (void)state;
    producers_and_consumers(2, true, 52);
    producers_and_consumers(2, false, 108);
    producers_and_consumers(3, true, 5616);
}

#define PICK(n) { OP_PICK, n, 0, 0 }

/* The orders of the accesses to two cells for each alternative; those of three accesses or,
 * with the other alternative, of two. */
/* Threads that race with each other only make n! of each class: whatever sequence is left
 * for later holds their steps too, in one of these orders.  How many classes the three
 * others have is the oracle's number. */
static void races_beside_multiply(void **state)
{
    struct program p = { .start = 3 };
    struct judgement j = { 0 };

    (void)state;
    THREAD(&p, 0, { OP_READ, 0, 0, 0 }, { OP_SKIP_NE, 1, 0, 0 }, { OP_WRITE, 0, 1, 0 });
    THREAD(&p, 1, { OP_CAS, 0, 0, 1 });
    THREAD(&p, 2, { OP_READ, 0, 0, 0 });
    assert_true(judge_program(&j, &p, &optimal));
    for (unsigned n = 1, orders = 1; n <= 4; orders *= ++n) {
        p.start = (uint8_t)(3 + n);
        THREAD(&p, 2 + n, { OP_WRITE, 7, 1, 0 });
        expect("races beside", &p, j.classes * orders);
    }
}

static void choices_multiply(void **state)
{
    struct program p = { .start = 2 }, q = { .start = 3 };

    (void)state;
    THREAD(&p, 0, ADD(1, 1), PICK(1), PICK(2), WRITE(0, 1));
    THREAD(&p, 1, READ(1), READ(0));
    expect_judged("a choice between two races", &p, 4 * 2);

    THREAD(&q, 0, ADD(0, 1));
    THREAD(&q, 1, ADD(0, 1));
    THREAD(&q, 2, READ(1), PICK(2), PICK(2), SKIP_NE(1, 0), READ(0));
    expect_judged("only one alternative takes part", &q, 2 * (6 + 2));
}

/* Alternatives that were added to a step after a sequence had been inserted to its right
 * could cover that sequence: the execution was cut off. */
static void alternatives_that_come_late_make_nothing_redundant(void **state)
{
    struct program p = { .start = 3 };
    struct judgement j = { 0 };

    (void)state;
    THREAD(&p, 0, READ(0), ADD(0, 0), SKIP_NE(1, 0), WRITE(1, 0));
    THREAD(&p, 1, READ(1), PICK(2), SKIP_NE(1, 0), WRITE(0, 0));
    THREAD(&p, 2, READ(0), WRITE(0, 1));
    assert_true(judge_program(&j, &p, &optimal));
    EXPECT_EQ("executions", j.executions, j.classes);
    EXPECT_EQ("redundant", j.redundant, 0);
}

/* An atomic section beside a writer and a reader of something else, which source sets begin
 * with idle rounds: twice two orders. */
static void a_section_keeps_the_wakeup_tree(void **state)
{
    struct program p = { .start = 3 };

    (void)state;
    THREAD(&p, 0, READ(2));
    THREAD(&p, 1, SECTION_BEGIN, WRITE(2, 0), SECTION_END, ADD(1, 0));
    THREAD(&p, 2, READ(1));
    expect_judged("section", &p, 4);
}

/* The section writes x only where it finds y set, which comes after the other thread's access
 * to x.  So its order with that access is none: two classes, by y.  A search that forgets what the
 * section did when it came first begins an execution to find that out. */
static void expect_foreseen(const char *name, const struct program *p)
{
    static const struct judge_claim forgetful = { .spec = "dpor-optimal:remember=0",
                                                  .promises = JUDGE_CLASSES | JUDGE_ONCE };
    struct judgement j = { 0 };

    expect_judged(name, p, 2);
    assert_true(judge_program(&j, p, &forgetful));
    EXPECT_EQ(name, j.redundant, 1);
}

static void what_a_section_touches_is_foreseen(void **state)
{
    struct program p = { .start = 2 }, q;

    (void)state;
    THREAD(&p, 0, ADD(0, 0), ADD(1, 1));
    THREAD(&p, 1, SECTION_BEGIN, READ(1), SKIP_NE(1, 1), WRITE(0, 0), SECTION_END);
    expect_foreseen("section", &p);
    q = p; /* more than a step can name */
    THREAD(&q, 1, SECTION_BEGIN, READ(2), READ(3), READ(4), READ(5), READ(1), SKIP_NE(1, 1),
           WRITE(0, 0), SECTION_END);
    expect_foreseen("long section", &q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_increments_have_four_classes),
        cmocka_unit_test(figure_2_4),
        cmocka_unit_test(a_writer_and_n_readers_have_2_to_the_n),
        cmocka_unit_test(lastzero),
        cmocka_unit_test(source_sets_repeat_little),
        cmocka_unit_test(micro),
        cmocka_unit_test(account),
        cmocka_unit_test(lazy),
        cmocka_unit_test(figure_4_1),
        cmocka_unit_test(sections_that_commute_run_once),
        cmocka_unit_test(indexer0),
        cmocka_unit_test(indexermod),
        cmocka_unit_test(sections_of_one_mutex_have_multinomially_many),
        cmocka_unit_test(token_wake_ups_count_as_decided),
        cmocka_unit_test(races_beside_multiply),
        cmocka_unit_test(choices_multiply),
        cmocka_unit_test(alternatives_that_come_late_make_nothing_redundant),
        cmocka_unit_test(a_section_keeps_the_wakeup_tree),
        cmocka_unit_test(what_a_section_touches_is_foreseen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
