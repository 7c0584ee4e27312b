/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shrink_test.c - the measure of schedules and every kind of candidate, with runs that are made
 * up: a run does exactly what its plan says, and a predicate decides whether it fails.  So each
 * expected result follows from the predicate.  minimize_test.c shrinks schedules of programs. */
#include "support/unit.h"

#include "shrink/shrink.h"

#define STEPS 64

/* ---- runs that are made up ---------------------------------------------------------------------- */

struct fake {
    bool (*fails)(const struct hd_decision *steps, uint32_t n);
    uint32_t (*preemptions)(uint32_t n); /* NULL: none */
    uint16_t appended;                   /* the run goes on with this thread; 0: it does not */
    uint32_t runs, most;                 /* after so many runs the answer is no; 0: never */
    bool refused;
    struct hd_decision ran[STEPS];
};

static bool run(void *ctx, const struct hd_decision *plan, uint32_t n, struct hd_tried *out)
{
    struct fake *f = ctx;

    assert_false(f->refused); /* nothing is tried after the answer was no */
    if (f->most != 0 && f->runs == f->most) {
        f->refused = true;
        return false;
    }
    f->runs++;
    assert_true(n + 1 < STEPS);
    if (n > 0)
        memcpy(f->ran, plan, n * sizeof *plan);
    if (f->appended != 0)
        f->ran[n++] = (struct hd_decision){ .chosen = f->appended };
    *out = (struct hd_tried){ .same = f->fails(f->ran, n), .steps = f->ran, .nsteps = n,
                              .preemptions = f->preemptions != NULL ? f->preemptions(n) : 0 };
    return true;
}

/* A plan as text: one digit per step, the thread. */
static uint32_t parse(const char *text, struct hd_decision *out)
{
    uint32_t n = 0;

    for (; text[n] != '\0'; n++)
        out[n] = (struct hd_decision){ .chosen = (uint16_t)(text[n] - '0') };
    return n;
}

static void expect_with(struct fake *f, const char *plan, const char *want)
{
    struct hd_decision steps[STEPS];
    char got[STEPS + 1] = "";
    struct hd_shrunk s;

    hd_shrink(run, f, steps, parse(plan, steps), &s);
    assert_non_null(s.steps);
    for (uint32_t i = 0; i < s.nsteps; i++)
        got[i] = (char)('0' + s.steps[i].chosen);
    assert_string_equal(got, want);
    assert_int_equal(s.measure.steps, s.nsteps);
    free(s.steps);
}

static void expect(bool (*fails)(const struct hd_decision *, uint32_t), const char *plan,
                   const char *want)
{
    struct fake f = { .fails = fails };

    expect_with(&f, plan, want);
}

static uint32_t count(const struct hd_decision *d, uint32_t n, unsigned slot)
{
    uint32_t sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += d[i].alternatives == 0 && d[i].chosen == slot;
    return sum;
}

/* Are the threads of text in the plan in that order, others between them or not? */
static bool holds(const struct hd_decision *d, uint32_t n, const char *text)
{
    for (uint32_t i = 0; i < n && *text != '\0'; i++)
        text += d[i].chosen == (unsigned)(*text - '0');
    return *text == '\0';
}

/* ---- the measure ----------------------------------------------------------------------------------- */

static void switches_are_counted_between_threads_only(void **state)
{
    /* 1 1 | choices 2 and 0 | 1 | 2 2 | 1: thread 1 to 2 and back; a choice is no switch */
    static const struct hd_decision d[] = { { 1, 0, 0 }, { 1, 0, 0 }, { 2, 3, 0 }, { 0, 3, 0 },
                                            { 1, 0, 0 }, { 2, 0, 0 }, { 2, 0, 0 }, { 1, 0, 0 } };
    struct hd_tried t = { .preemptions = 7, .steps = d, .nsteps = COUNT_OF(d) };
    struct hd_measure m = hd_measure(&t);

    (void)state;
    assert_int_equal(m.preemptions, 7);
    assert_int_equal(m.switches, 2);
    assert_int_equal(m.steps, 8);
    assert_int_equal(m.choices, 1); /* 0 is what a choice is without a reason */
}

/* The first field that differs decides, whatever the later ones are. */
static void fewer_of_the_first_difference_is_less(void **state)
{
    static const struct hd_measure rising[] = {
        { 0, 0, 0, 0 }, { 0, 0, 0, 1 }, { 0, 0, 1, 0 }, { 0, 0, 9, 9 }, { 0, 1, 0, 0 },
        { 0, 1, 2, 1 }, { 0, 2, 1, 1 }, { 0, 9, 9, 9 }, { 1, 0, 0, 0 }, { 2, 0, 0, 0 },
    };

    (void)state;
    for (size_t a = 0; a < COUNT_OF(rising); a++)
        for (size_t b = 0; b < COUNT_OF(rising); b++)
            assert_int_equal(hd_measure_less(&rising[a], &rising[b]), a < b);
}

/* ---- candidates -------------------------------------------------------------------------------------- */

static bool has_121(const struct hd_decision *d, uint32_t n) { return holds(d, n, "121"); }
static bool has_79(const struct hd_decision *d, uint32_t n) { return holds(d, n, "79"); }
static bool has_1(const struct hd_decision *d, uint32_t n) { return count(d, n, 1) > 0; }
static bool has_5(const struct hd_decision *d, uint32_t n) { return count(d, n, 5) > 0; }
static bool has_111(const struct hd_decision *d, uint32_t n) { return count(d, n, 1) >= 3; }

static void blocks_that_do_not_matter_are_left_out(void **state)
{
    (void)state;
    expect(has_121, "01020100", "121");
    expect(has_79, "123456789123", "79");
    expect(has_5, "12345", "5");
}

static void steps_of_a_block_that_do_not_matter_are_left_out(void **state)
{
    (void)state;
    expect(has_111, "11111111", "111"); /* 8, 4, then 3: a half, and then single steps */
    expect(has_121, "1111222111", "121");
}

/* The beginning that suffices is found at once: the plan, nothing, one block; then nothing
 * again, which is all that is left to try. */
static void ends_are_left_off_first(void **state)
{
    struct fake f = { .fails = has_1 };

    (void)state;
    expect_with(&f, "12345678", "1");
    assert_int_equal(f.runs, 5); /* the whole, nothing, the first step; that again for its events; less than that */
}

static bool is_whole(const struct hd_decision *d, uint32_t n)
{
    return n == 5 && count(d, n, 1) == 3 && count(d, n, 2) == 2;
}

static bool is_whole_1_last(const struct hd_decision *d, uint32_t n)
{
    return n == 3 && count(d, n, 1) == 2 && count(d, n, 2) == 1 && d[2].chosen == 1;
}

static bool is_whole_1_first(const struct hd_decision *d, uint32_t n)
{
    return n == 3 && count(d, n, 1) == 2 && count(d, n, 2) == 1 && d[0].chosen == 1;
}

static void blocks_of_a_thread_are_joined(void **state)
{
    (void)state;
    expect(is_whole, "12121", "11122");
    expect(is_whole_1_first, "121", "112"); /* the later block comes earlier */
    expect(is_whole_1_last, "121", "211");  /* the earlier one waits */
}

static bool choice_behind_1_and_1_last(const struct hd_decision *d, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (d[i].alternatives != 0 && (i == 0 || d[i - 1].chosen != 1))
            return false;
    return n == 4 && d[3].chosen == 1;
}

/* 1 makes a choice, then 2 runs, then 1: the choice waits together with the step before it. */
static void a_choice_moves_with_its_block(void **state)
{
    static const struct hd_decision plan[] = { { 1, 0, 0 }, { 2, 3, 0 }, { 2, 0, 0 }, { 1, 0, 0 } };
    struct fake f = { .fails = choice_behind_1_and_1_last };
    struct hd_shrunk s;

    (void)state;
    hd_shrink(run, &f, plan, COUNT_OF(plan), &s);
    assert_non_null(s.steps);
    assert_int_equal(s.measure.switches, 1);
    assert_int_equal(s.steps[0].chosen, 2);
    assert_int_equal(s.steps[1].chosen, 1);
    assert_int_equal(s.steps[2].alternatives, 3);
    free(s.steps);
}

static bool second_choice_is_1(const struct hd_decision *d, uint32_t n)
{
    return n == 4 && d[2].alternatives == 2 && d[2].chosen == 1;
}

static void only_choices_that_matter_are_kept(void **state)
{
    static const struct hd_decision plan[] = { { 1, 0, 0 }, { 2, 3, 0 }, { 1, 2, 0 }, { 1, 0, 0 } };
    struct fake f = { .fails = second_choice_is_1 };
    struct hd_shrunk s;

    (void)state;
    hd_shrink(run, &f, plan, COUNT_OF(plan), &s);
    assert_non_null(s.steps);
    assert_int_equal(s.measure.choices, 1);
    assert_int_equal(s.steps[1].chosen, 0);
    assert_int_equal(s.steps[1].alternatives, 3);
    assert_int_equal(s.steps[2].chosen, 1);
    assert_int_equal(s.measure.switches, 0);
    free(s.steps);
}

/* ---- what is adopted ---------------------------------------------------------------------------------- */

static uint32_t more_when_shorter(uint32_t n) { return STEPS - n; }
static bool always(const struct hd_decision *d, uint32_t n) { (void)d; return n < STEPS; }
static bool never(const struct hd_decision *d, uint32_t n) { (void)d; return n > STEPS; }

static void what_fails_but_is_not_better_is_not_taken(void **state)
{
    struct fake f = { .fails = always, .preemptions = more_when_shorter };

    (void)state;
    expect_with(&f, "1212", "1122"); /* joining keeps the length; everything else shortens */
}

static void what_has_run_counts_and_not_its_plan(void **state)
{
    struct fake f = { .fails = has_1, .appended = 9 };

    (void)state;
    expect_with(&f, "1", "19");
}

static void a_plan_that_does_not_fail_gives_nothing(void **state)
{
    struct fake f = { .fails = never }, g = { .fails = always, .most = 1, .runs = 1 };
    struct hd_decision steps[STEPS];
    struct hd_shrunk s;

    (void)state;
    hd_shrink(run, &f, steps, parse("12", steps), &s);
    assert_null(s.steps);
    assert_int_equal(f.runs, 1);
    hd_shrink(run, &g, steps, parse("12", steps), &s);
    assert_null(s.steps);
}

/* With any number of runs the best one so far comes out, and it fails. */
static void it_ends_when_no_more_may_be_run(void **state)
{
    (void)state;
    for (uint32_t most = 1; most < 40; most++) {
        struct fake f = { .fails = has_121, .most = most };
        struct hd_decision steps[STEPS];
        struct hd_shrunk s;

        hd_shrink(run, &f, steps, parse("0011220011", steps), &s);
        assert_non_null(s.steps);
        assert_true(f.runs <= most);
        assert_true(has_121(s.steps, s.nsteps));
        free(s.steps);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(switches_are_counted_between_threads_only),
        cmocka_unit_test(fewer_of_the_first_difference_is_less),
        cmocka_unit_test(blocks_that_do_not_matter_are_left_out),
        cmocka_unit_test(steps_of_a_block_that_do_not_matter_are_left_out),
        cmocka_unit_test(ends_are_left_off_first),
        cmocka_unit_test(blocks_of_a_thread_are_joined),
        cmocka_unit_test(a_choice_moves_with_its_block),
        cmocka_unit_test(only_choices_that_matter_are_kept),
        cmocka_unit_test(what_fails_but_is_not_better_is_not_taken),
        cmocka_unit_test(what_has_run_counts_and_not_its_plan),
        cmocka_unit_test(a_plan_that_does_not_fail_gives_nothing),
        cmocka_unit_test(it_ends_when_no_more_may_be_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
