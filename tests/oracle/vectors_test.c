/* SPDX-License-Identifier: BSD-2-Clause
 *
 * vectors_test.c - programs whose number of classes is known in closed form or from
 * the literature: dpor-optimal runs exactly so many executions, and dpor and
 * dpor-classic count as many besides their redundant ones. */
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

/* The oracle says the same, where it can. */
static void expect_judged(const char *name, const struct program *p, uint64_t want)
{
    struct judgement j = { 0 };

    expect(name, p, want);
    assert_true(judge_program(&j, p, "dpor-optimal", JUDGE_OPTIMAL));
    EXPECT_EQ(name, j.classes, want);
}

static void two_increments_have_four_classes(void **state)
{
    struct program p = { .start = 2 };

    (void)state;
    THREAD(&p, 0, READ(0), WRITE(0, 1));
    THREAD(&p, 1, READ(0), WRITE(0, 1));
    expect_judged("two x++", &p, 4);
    /* without sleep sets every schedule differs from the others by races: C(4, 2) */
    EXPECT_EQ("two x++, no sleep sets", explore_program(&p, "dpor-classic:sleep=0", -1).executions,
              6);
}

/* Threads that were run first, in whatever execution: the root's source set. */
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
    }
}

static void note_lazy_class(struct explorer *x, void *ctx)
{
    uint64_t *class = ctx; /* the first is their number */
    uint64_t hash = oracle_lazy_hash(x->exec.events, x->exec.nevents, x->state.script);

    for (uint64_t i = 1; i <= class[0]; i++)
        if (class[i] == hash || x->exec.ending == HD_END_CUT)
            return;
    class[++class[0]] = hash;
}

static uint64_t lazy_classes(const struct program *p, const char *spec)
{
    static uint64_t class[1000];
    struct explorer x;

    class[0] = 0;
    explorer_open(&x, p, spec, -1, 1);
    x.seen = note_lazy_class;
    x.ctx = class;
    explorer_all(&x, COUNT_OF(class) - 1);
    assert_true(explorer_totals(&x)->complete);
    explorer_close(&x);
    return class[0];
}

/* Four threads, one section each: x = 1; y = 2; and twice: if x == 0 then y = own number. */
static void figure_4_1(void **state)
{
    struct program p = { .start = 4 };

    (void)state;
    THREAD(&p, 0, LOCK(0), WRITE(0, 1), UNLOCK(0));
    THREAD(&p, 1, LOCK(0), WRITE(1, 2), UNLOCK(0));
    THREAD(&p, 2, LOCK(0), READ(0), SKIP_NE(1, 0), WRITE(1, 3), UNLOCK(0));
    THREAD(&p, 3, LOCK(0), READ(0), SKIP_NE(1, 0), WRITE(1, 4), UNLOCK(0));
    expect_judged("Fig 4.1", &p, 24);
    EXPECT_EQ("Fig 4.1, all lazy classes", lazy_classes(&p, "dfs"), 11);
    EXPECT_EQ("Fig 4.1, lazy classes seen", lazy_classes(&p, "dpor-lazy"), 11);
    assert_in_range(explore_program(&p, "dpor-lazy", -1).executions, 11, 23);
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

/* Deposit, withdraw, check; and +1, +2, look: three sections that all conflict. */
static void account_and_lazy_have_six(void **state)
{
    struct program account = { .start = 3 }, lazy = { .start = 3 };

    (void)state;
    THREAD(&account, 0, LOCK(0), READ(1), SKIP_NE(2, 1), READ(2), READ(0), UNLOCK(0));
    THREAD(&account, 1, LOCK(0), ADD(0, 2), WRITE(1, 1), UNLOCK(0));
    THREAD(&account, 2, LOCK(0), ADD(0, -4), WRITE(2, 1), UNLOCK(0));
    expect_judged("account", &account, 6);
    THREAD(&lazy, 0, LOCK(0), READ(0), UNLOCK(0));
    THREAD(&lazy, 1, LOCK(0), ADD(0, 1), UNLOCK(0));
    THREAD(&lazy, 2, LOCK(0), ADD(0, 2), UNLOCK(0));
    expect_judged("lazy", &lazy, 6);
    EXPECT_EQ("lazy, lazily", explore_program(&lazy, "dpor-lazy", -1).executions, 6);
}

/* Reader: i = N; while (a[i] != 0) i--.  Writer j: a[j] = a[j-1] + 1. */
static struct program lastzero_of(unsigned n)
{
    struct program p = { .start = (uint8_t)(n + 1) };

    for (unsigned i = 0; i <= n; i++) {
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
    print_message("lastzero 10: %.2f executions per class\n",
                  (double)explorer_totals(&x)->begun / 3328);
    assert_true(explorer_totals(&x)->begun < 2 * 3328);
    explorer_close(&x);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_increments_have_four_classes),
        cmocka_unit_test(figure_2_4),
        cmocka_unit_test(figure_4_1),
        cmocka_unit_test(sections_that_commute_run_once),
        cmocka_unit_test(account_and_lazy_have_six),
        cmocka_unit_test(a_writer_and_n_readers_have_2_to_the_n),
        cmocka_unit_test(lastzero),
        cmocka_unit_test(source_sets_repeat_little),
        cmocka_unit_test(sections_of_one_mutex_have_multinomially_many),
        cmocka_unit_test(token_wake_ups_count_as_decided),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
