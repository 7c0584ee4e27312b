/* SPDX-License-Identifier: BSD-2-Clause
 *
 * length_test.c - what a search does for one step of an execution does not depend on how
 * long the execution is.  Work is counted, not time: the steps, events and accesses that the
 * analysis of races looks at. */
#include "support/unit.h"

#include "search/por/dpor.h"
#include "support/explorer.h"
#include "support/programs.h"
#include "support/question.h"

#define EXECUTIONS 4
#define RATIO 1.3
#define LARGE_BOUND 1000000 /* nothing exceeds it */

#define THREAD(p, t, ...)                                                  \
    do {                                                                   \
        const struct prog_op ops_[] = { __VA_ARGS__ };                     \
        memcpy((p)->op[t], ops_, sizeof ops_);                             \
    } while (0)

static uint64_t of_reversals(const struct hd_reversal *r)
{
    return r->beside.work + r->history.work;
}

static uint64_t of_dpor(const void *self)
{
    const struct hd_dpor *d = self;

    return of_reversals(&d->reversal) + d->cover.beside.work + d->path.trace.work + d->races.work;
}

/* Questions about the least number of preemptions included. */
static uint64_t of_bpor(const void *self)
{
    const struct hd_bpor *d = self;
    const struct hd_minpreempt *m = &d->least;

    return of_reversals(&d->reversal) + d->trace.work + d->work + m->work + m->steps.work + m->chains.work;
}

struct bounded_spec {
    const char *spec;
    int64_t bound;
    double ratio;
};

/* For one step of the first executions of a program that never ends.  With few preemptions it may
 * have fewer than that. */
static double work_per_step(const struct program *p, struct bounded_spec s, uint32_t length)
{
    struct explorer x;

    explorer_open(&x, p, s.spec, s.bound, 1);
    x.max_steps = length;
    explorer_all(&x, EXECUTIONS);
    if (s.bound < 0 || s.bound == LARGE_BOUND)
        assert_int_equal(explorer_totals(&x)->begun, EXECUTIONS);
    assert_int_equal(explorer_totals(&x)->steps_max, length);
    double work = (double)(s.bound < 0 ? of_dpor : of_bpor)(x.search.self) / length;

    explorer_close(&x);
    return work;
}

static void expect_linear(const char *what, const struct program *p)
{
    static const struct bounded_spec specs[] = {
        { "dpor", -1, RATIO }, { "dpor-optimal", -1, RATIO }, { "bpor-lazy", LARGE_BOUND, RATIO },
        { "bpor-lazy", 0, RATIO }, { "bpor-lazy", 1, RATIO },
    };

    for (size_t i = 0; i < COUNT_OF(specs); i++) {
        double least = work_per_step(p, specs[i], 1000);

        assert_true(least > 0);
        for (uint32_t length = 10000; length <= 100000; length *= 10) {
            double work = work_per_step(p, specs[i], length);

            if (work > specs[i].ratio * least)
                fail_msg("%s, %s, bound %ld, %u steps: %.1f for a step, but %.1f with 1000 steps", what,
                         specs[i].spec, (long)specs[i].bound, length, work, least);
        }
    }
}

/* Whether a semaphore is free at a race depends on everything before it. */
static void semaphores(void **state)
{
    struct program p = { .start = 3, .sem = { 1, 0 } };

    (void)state;
    THREAD(&p, 0, { OP_SEM_WAIT, 0, 0, 0 }, { OP_POST, 1, 0, 0 }, BACK(2));
    THREAD(&p, 1, { OP_SEM_WAIT, 1, 0, 0 }, { OP_POST, 0, 0, 0 }, BACK(2));
    THREAD(&p, 2, { OP_SEM_WAIT, 1, 0, 0 }, { OP_POST, 0, 0, 0 }, BACK(2));
    expect_linear("semaphores", &p);
}

static void read_write_locks(void **state)
{
    struct program p = { .start = 2, .barrier = { 2 } };

    (void)state;
    THREAD(&p, 0, { OP_RDLOCK, 0, 0, 0 }, READ(0), { OP_RDUNLOCK, 0, 0, 0 }, { OP_BARRIER, 0, 0, 0 },
           BACK(4));
    THREAD(&p, 1, { OP_WRLOCK, 0, 0, 0 }, ADD(0, 1), { OP_WRUNLOCK, 0, 0, 0 }, { OP_BARRIER, 0, 0, 0 },
           BACK(4));
    expect_linear("read-write locks", &p);
}

/* Rounds with a race in each.  The third thread's first step is independent of all others:
 * it is a part of every v. */
static void mutexes_in_rounds(void **state)
{
    struct program p = { .start = 3, .barrier = { 2 } };

    (void)state;
    for (unsigned t = 0; t < 2; t++)
        THREAD(&p, t, LOCK(0), ADD(0, 1), UNLOCK(0), { OP_BARRIER, 0, 0, 0 }, BACK(4));
    THREAD(&p, 2, ADD(1, 1), LOCK(1), UNLOCK(1));
    expect_linear("mutexes", &p);
}

/* Atomic operations that race and always run, in rounds. */
static void memory_in_rounds(void **state)
{
    struct program p = { .start = 2, .barrier = { 2 } };

    (void)state;
    for (unsigned t = 0; t < 2; t++)
        THREAD(&p, t, READ(0), WRITE(0, 1), { OP_BARRIER, 0, 0, 0 }, BACK(3));
    expect_linear("memory", &p);
}

/* A producer that never stops, two threads that wait for it: their wake-ups race with all that it
 * does, and without preemptions none of these races may be reversed. */
static void one_that_never_waits(void **state)
{
    struct bounded_spec without = { "bpor-lazy", 0, RATIO };
    struct program p = { .start = 3 };

    (void)state;
    for (unsigned t = 0; t < 2; t++)
        THREAD(&p, t, LOCK(0), WAIT(0, 0), ADD(0, -1), UNLOCK(0));
    THREAD(&p, 2, LOCK(0), ADD(0, 1), SIGNAL(0), UNLOCK(0), BACK(4));
    assert_true(work_per_step(&p, without, 100000) <= without.ratio * work_per_step(&p, without, 1000));
}

/* Work for one step of an execution, if the least number of preemptions is asked for after each step of it. */
static double work_of_all_questions(const struct program *p, uint32_t bound, uint32_t length)
{
    struct explorer x;
    struct question question;

    explorer_open(&x, p, "bpor-lazy", bound, 1);
    x.max_steps = length;
    explorer_all(&x, 1);
    EXPECT_EQ("steps", explorer_totals(&x)->steps_max, length);
    struct hd_bpor *d = x.search.self;
    uint64_t before = of_bpor(d);

    for (uint32_t k = 0; k < d->trace.nsteps; k++) {
        question_make(&question, d, k, (hd_tid)(k % d->exec->nthreads));
        question.q.bound = bound;
        hd_minpreempt(&d->least, &question.q);
    }
    double work = (double)(of_bpor(d) - before) / length;

    explorer_close(&x);
    return work;
}

/* Threads that take turns with a mutex and wait for each other, a thread that has only begun, and one that never
 * waits.  What a question has computed about the steps before it is not computed again. */
static void questions_share_what_they_compute(void **state)
{
    struct program p[2] = { { .start = 4, .barrier = { 2 } }, { .start = 4, .sem = { 1, 0 } } };

    (void)state;
    for (unsigned t = 0; t < 2; t++)
        THREAD(&p[0], t, LOCK(0), ADD(0, 1), UNLOCK(0), { OP_BARRIER, 0, 0, 0 }, BACK(4));
    THREAD(&p[1], 0, { OP_SEM_WAIT, 0, 0, 0 }, LOCK(0), UNLOCK(0), { OP_POST, 1, 0, 0 }, BACK(4));
    THREAD(&p[1], 1, { OP_SEM_WAIT, 1, 0, 0 }, LOCK(0), UNLOCK(0), { OP_POST, 0, 0, 0 }, BACK(4));
    for (size_t i = 0; i < COUNT_OF(p); i++) {
        THREAD(&p[i], 2, READ(5), { OP_SEM_WAIT, 5, 0, 0 });
        THREAD(&p[i], 3, READ(6), { OP_SEM_WAIT, 6, 0, 0 });
        for (uint32_t bound = 0; bound < 3; bound++) {
            double least = work_of_all_questions(&p[i], bound, 1000);

            assert_true(least > 1);
            for (uint32_t length = 10000; length <= 100000; length *= 10)
                if (work_of_all_questions(&p[i], bound, length) > RATIO * least)
                    fail_msg("program %zu, bound %u, %u steps: more than %.1f for a step", i, bound, length, least);
        }
    }
}

/* Three threads read memory that does not change in `rounds` rounds, then add to one cell: without
 * preemptions 2 of its 6 classes. */
static uint64_t work_of_questions(int8_t rounds)
{
    struct program p = { .start = 3 };
    struct explorer x;

    for (unsigned t = 0; t < 3; t++)
        THREAD(&p, t, READ(0), READ(1 + t), { OP_LOOP, 2, 99, rounds }, ADD(9, 1));
    explorer_open(&x, &p, "bpor-lazy", 0, 1);
    explorer_all(&x, 1000);
    EXPECT_EQ("executions", explorer_totals(&x)->executions, 2);
    EXPECT_EQ("exhausted", explorer_totals(&x)->exhausted, 1);
    assert_true(explorer_totals(&x)->steps_max > 6u * (unsigned)rounds);
    uint64_t work = ((const struct hd_bpor *)x.search.self)->least.work;

    explorer_close(&x);
    return work;
}

/* What a question about preemptions costs depends on how often threads meet, not on how many
 * steps they make in between.  Some branches are tried at every earlier frame, so there are as many
 * questions as steps. */
static void questions_pass_runs(void **state)
{
    uint64_t little = work_of_questions(10);

    (void)state;
    assert_true(little > 0);
    assert_true(work_of_questions(100) <= 10 * little);
}

/* A limit of N steps is a bound: N additions, or N - 1 with the other thread's one read at
 * any of N places. */
static void executions_that_are_cut_are_reordered(void **state)
{
    static const char *const specs[] = { "dpor", "dpor-optimal", "dpor-classic", "bpor-lazy" };
    struct program p = { .start = 2 };

    (void)state;
    THREAD(&p, 0, ADD(0, 1), BACK(1));
    THREAD(&p, 1, READ(0));
    for (size_t i = 0; i < COUNT_OF(specs); i++) {
        struct explorer x;

        explorer_open(&x, &p, specs[i], specs[i][0] == 'b' ? 2 : -1, 1);
        x.max_steps = 20;
        explorer_all(&x, 1000);
        EXPECT_EQ(specs[i], explorer_totals(&x)->executions, 21);
        EXPECT_EQ(specs[i], explorer_totals(&x)->exhausted, 1);
        EXPECT_EQ(specs[i], explorer_totals(&x)->complete, 0);
        explorer_close(&x);
    }
}

/* Each question about preemptions tells the watchdog that the program does not hang. */
static void long_decisions_are_announced(void **state)
{
    struct program p = { .start = 2 };
    struct explorer x;
    uint64_t beat = 0;

    (void)state;
    for (unsigned t = 0; t < 2; t++)
        THREAD(&p, t, LOCK(0), ADD(0, 1), UNLOCK(0), LOCK(0), ADD(0, 1), UNLOCK(0));
    explorer_open(&x, &p, "bpor-lazy", 0, 1);
    x.cfg.beat = &beat;
    explorer_reopen(&x);
    explorer_all(&x, 1000);
    assert_true(beat > 0);
    explorer_close(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(executions_that_are_cut_are_reordered),
        cmocka_unit_test(long_decisions_are_announced),
        cmocka_unit_test(questions_pass_runs),
        cmocka_unit_test(questions_share_what_they_compute),
        cmocka_unit_test(semaphores),
        cmocka_unit_test(read_write_locks),
        cmocka_unit_test(mutexes_in_rounds),
        cmocka_unit_test(memory_in_rounds),
        cmocka_unit_test(one_that_never_waits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
