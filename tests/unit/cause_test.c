/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cause_test.c - which order of operations is named as the cause, over programs without control
 * flow: each thread has a list of operations on objects, and a rule over the order in which they
 * run says whether the run passes.  So the expected cause follows from the rule.
 *
 * A program is text: "A:x B:yX" is one operation per letter, on the object of that name; a small
 * letter reads, a capital one writes, '>' is a thread's start.  Threads are numbered in the order
 * of the text, and their slots are 10 more, so that numbers and slots cannot be confused. */
#include "support/unit.h"

#include "shrink/cause.h"
#include "shrink/steps.h"

enum { STEPS = 4096, THREADS = 5, SLOT = 10 };

/* ---- programs ----------------------------------------------------------------------------------- */

struct order { /* when each operation ran, by thread and number; 0: it did not run */
    uint32_t at[THREADS][STEPS / 4];
};

struct toy {
    const char *op[THREADS];
    uint32_t len[THREADS];
    uint32_t nthreads;
    bool (*is_clean)(const struct order *o);
    bool favours_last;     /* left to itself, it runs the last thread first */
    bool deaf;             /* it runs as it did first, whatever the plan says */
    uint32_t runs, most;   /* after so many runs the answer is no; 0: never */
    struct hd_decision steps[STEPS];
    struct hd_event events[STEPS];
    uint32_t nsteps;
    struct order order;
};

static void toy_open(struct toy *y, const char *text, bool (*is_clean)(const struct order *))
{
    memset(y, 0, sizeof *y);
    y->is_clean = is_clean;
    for (const char *p = text; *p != '\0'; y->nthreads++) {
        y->op[y->nthreads] = p += 2; /* behind "A:" */
        y->len[y->nthreads] = (uint32_t)strcspn(p, " ");
        p += y->len[y->nthreads];
        p += *p == ' ';
    }
}

static struct hd_event event_of(const struct toy *y, hd_tid tid, uint32_t nth)
{
    int c = y->op[tid][nth];
    unsigned kind = c == '>' ? HD_EV_THREAD_START : c >= 'a' ? HD_EV_ATOMIC_LOAD : HD_EV_ATOMIC_STORE;

    return (struct hd_event){ .tid = tid, .kind = (uint8_t)kind,
                              .obj = c == '>' ? 0 : (uint32_t)(c | 0x20) };
}

static bool step(struct toy *y, uint32_t *next, hd_tid tid)
{
    if (tid >= y->nthreads || next[tid] == y->len[tid])
        return false;
    y->events[y->nsteps] = event_of(y, tid, next[tid]);
    y->steps[y->nsteps] = (struct hd_decision){ .chosen = (uint16_t)(tid + SLOT) };
    y->order.at[tid][next[tid]++] = ++y->nsteps;
    return true;
}

/* The plan as far as it fits; then the thread that ran last goes on, and then the others. */
static void follow(struct toy *y, const struct hd_decision *plan, uint32_t n)
{
    uint32_t next[THREADS] = { 0 };
    hd_tid last = 0;

    y->nsteps = 0;
    memset(&y->order, 0, sizeof y->order);
    for (uint32_t i = 0; i < n; i++)
        if (step(y, next, (hd_tid)(plan[i].chosen - SLOT)))
            last = (hd_tid)(plan[i].chosen - SLOT);
    if (y->favours_last)
        last = (hd_tid)(y->nthreads - 1);
    while (step(y, next, last))
        ;
    for (hd_tid t = 0; t < y->nthreads; t++)
        while (step(y, next, t))
            ;
}

static bool run(void *ctx, const struct hd_decision *plan, uint32_t n, struct hd_tried *out)
{
    struct toy *y = ctx;

    if (y->most != 0 && y->runs == y->most)
        return false;
    y->runs++;
    if (!y->deaf)
        follow(y, plan, n);
    bool clean = y->deaf || y->is_clean(&y->order);

    *out = (struct hd_tried){ .same = !clean, .clean = clean, .steps = y->steps,
                              .nsteps = y->nsteps, .events = y->events, .nevents = y->nsteps };
    return true;
}

/* ---- causes ------------------------------------------------------------------------------------- */

/* The failing run: its threads by letter.  What a thread has left over is pending. */
struct failing {
    struct hd_decision steps[STEPS];
    struct hd_event events[STEPS], pending[THREADS];
    struct hd_thread_info threads[THREADS];
    struct hd_failure f;
};

static void fail_by(struct toy *y, const char *schedule, struct failing *x)
{
    uint32_t next[THREADS] = { 0 }, n = (uint32_t)strlen(schedule);

    memset(x, 0, sizeof *x);
    y->nsteps = 0;
    for (uint32_t i = 0; i < n; i++)
        assert_true(step(y, next, (hd_tid)(schedule[i] - 'A')));
    memcpy(x->steps, y->steps, n * sizeof *x->steps);
    memcpy(x->events, y->events, n * sizeof *x->events);
    for (hd_tid t = 0; t < y->nthreads; t++) {
        bool live = next[t] < y->len[t];

        x->threads[t].slot = (uint16_t)(t + SLOT);
        x->threads[t].state = live ? HD_TH_LIVE : HD_TH_FINISHED;
        if (live)
            x->pending[t] = event_of(y, t, next[t]);
    }
    x->f = (struct hd_failure){ .steps = x->steps, .nsteps = n, .events = x->events, .nevents = n,
                                .pending = x->pending, .threads = x->threads,
                                .nthreads = y->nthreads };
}

static struct hd_cause cause_in(struct toy *y, const char *schedule)
{
    static struct failing x;
    struct hd_cause c;

    fail_by(y, schedule, &x);
    hd_cause_find(run, y, &x.f, &c);
    assert_int_equal(c.tried, y->runs);
    return c;
}

static struct toy toy; /* large */

static struct hd_cause cause_of(const char *text, bool (*is_clean)(const struct order *),
                                const char *schedule)
{
    toy_open(&toy, text, is_clean);
    return cause_in(&toy, schedule);
}

static void expect_before(const struct hd_cause *c, uint32_t first, uint32_t second)
{
    assert_int_equal(c->how, HD_CAUSE_BEFORE);
    assert_int_equal(c->part[0].event, first);
    assert_int_equal(c->part[1].event, second);
    assert_true(c->passes);
}

static void expect_between(const struct hd_cause *c, uint32_t first, uint32_t second, uint32_t third)
{
    assert_int_equal(c->how, HD_CAUSE_BETWEEN);
    assert_int_equal(c->part[0].event, first);
    assert_int_equal(c->part[1].event, second);
    assert_int_equal(c->part[2].event, third);
}

/* Did operation m of thread a run before operation n of thread b?  No, unless both ran. */
static bool is_before(const struct order *o, int a, uint32_t m, int b, uint32_t n)
{
    return o->at[a][m] != 0 && o->at[b][n] != 0 && o->at[a][m] < o->at[b][n];
}

enum { A, B, C, D, E };

/* ---- the nearest neighbour ---------------------------------------------------------------------- */

static bool b_or_d_first(const struct order *o)
{
    return is_before(o, B, 2, A, 0) || is_before(o, D, 0, C, 0);
}

/* To reverse (A, B's third) A changes places with 3 operations of B; to reverse (C's first, D)
 * 4 operations of C change places with one of D.  3 is nearer. */
static void the_distance_counts_pairs_that_change_places(void **state)
{
    struct hd_cause c = cause_of("A:X B:pqX C:Yrst D:Y", b_or_d_first, "ABBBCCCCD");

    (void)state;
    expect_before(&c, 0, 3);
}

/* With one operation of C less both are 3, and the one nearer to the failure stays. */
static void of_two_as_near_the_later_is_named(void **state)
{
    struct hd_cause c = cause_of("A:X B:pqX C:Yrs D:Y", b_or_d_first, "ABBBCCCD");

    (void)state;
    expect_before(&c, 4, 7);
}

static bool c_or_e_first(const struct order *o)
{
    return is_before(o, C, 0, A, 0) || is_before(o, E, 0, D, 0);
}

/* D and E ran side by side (1).  A changes places with C alone (1): B, which is pending too, has
 * not run and does not count, so the later pair is not farther away. */
static void what_never_ran_does_not_change_places(void **state)
{
    struct hd_cause c = cause_of("A:X B:p C:X D:Y E:Y", c_or_e_first, "DEA");

    (void)state;
    expect_before(&c, 2, HD_CAUSE_PENDING);
    assert_int_equal(c.part[1].tid, C);
}

/* ---- one operation between two ------------------------------------------------------------------- */

static bool b_is_not_between(const struct order *o)
{
    return is_before(o, B, 0, A, 0) || is_before(o, A, 1, B, 0);
}

static void an_operation_between_two_of_another_thread(void **state)
{
    struct hd_cause c = cause_of("A:xx B:X", b_is_not_between, "ABA");

    (void)state;
    expect_between(&c, 0, 1, 2);
}

/* C makes the way of B to A's second one longer: (A's first, B) is nearest. */
static void the_later_of_the_two_may_be_the_partner(void **state)
{
    struct hd_cause c = cause_of("A:xx B:X C:pq", b_is_not_between, "ABCCA");

    (void)state;
    expect_between(&c, 0, 1, 4);
}

/* A reads y and then x; B writes X and then Y; A must not see the one write without the other. */
static bool sees_both_or_none(const struct order *o)
{
    return !(is_before(o, A, 0, B, 1) && is_before(o, B, 0, A, 1));
}

static void an_update_of_several_operations_between_two(void **state)
{
    struct hd_cause c = cause_of("A:yx B:XY", sees_both_or_none, "ABBA");

    (void)state;
    expect_between(&c, 0, 2, 3); /* y is read, Y is written, x is read */
    c = cause_of("A:yx B:XY C:p", sees_both_or_none, "ABBCA");
    expect_between(&c, 0, 2, 4); /* the same, found from A's first one on */
}

static bool all_of_b_first(const struct order *o)
{
    return is_before(o, B, 1, A, 0);
}

/* B's first one before A is not enough.  Left alone behind it, B goes on, which is the second
 * run of this pair. */
static void what_follows_may_belong_to_it(void **state)
{
    struct hd_cause c = cause_of("A:Xp B:Xq", all_of_b_first, "ABAB");

    (void)state;
    expect_before(&c, 0, 1);
    assert_int_equal(c.tried, 2);
}

static bool reads_of_b_first(const struct order *o)
{
    return is_before(o, B, 0, A, 0);
}

/* Two reads do not conflict, and the writes do not matter: what decides is the switch. */
static void two_reads_are_no_pair(void **state)
{
    struct hd_cause c = cause_of("A:xY B:xY", reads_of_b_first, "AABB");

    (void)state;
    expect_before(&c, 1, 2);
}

/* ---- where no pair is the cause -------------------------------------------------------------------- */

static bool b_first(const struct order *o)
{
    return is_before(o, B, 1, A, 1);
}

/* They touch nothing in common.  A thread's start says nothing, what comes behind it does. */
static void a_switch_without_a_conflict(void **state)
{
    struct hd_cause c = cause_of("A:>p B:>q", b_first, "AABB");

    (void)state;
    expect_before(&c, 1, 3);
}

static bool a_last(const struct order *o)
{
    return is_before(o, B, 0, A, 0) && is_before(o, C, 0, A, 0);
}

/* C conflicts with nothing, so no reversal of a pair brings it before A. */
static void a_thread_that_is_held_back(void **state)
{
    struct hd_cause c = cause_of("A:X B:X C:p", a_last, "ABC");

    (void)state;
    expect_before(&c, 0, 1);
}

static bool never(const struct order *o)
{
    return o == NULL;
}

static void what_always_fails(void **state)
{
    struct hd_cause c = cause_of("A:X B:X", never, "AB");

    (void)state;
    assert_int_equal(c.how, HD_CAUSE_ALWAYS);
    assert_true(c.tried > 0);
    assert_false(c.cut);
    assert_false(c.passes);
}

/* Every other run passes, but in none of them is any order another one. */
static void no_order_is_named_that_was_not_reversed(void **state)
{
    struct hd_cause c;

    (void)state;
    toy_open(&toy, "A:X B:X", never);
    toy.deaf = true;
    c = cause_in(&toy, "AB");
    assert_int_not_equal(c.how, HD_CAUSE_BEFORE);
    assert_int_not_equal(c.how, HD_CAUSE_BETWEEN);
    assert_true(c.passes);
}

static bool b_before_a(const struct order *o)
{
    return is_before(o, B, 0, A, 0);
}

static void what_was_freed_too_early(void **state)
{
    static struct failing x;
    struct hd_cause c;

    (void)state;
    toy_open(&toy, "A:pq B:rs", b_before_a);
    fail_by(&toy, "ABAB", &x);
    x.f.used = true;
    x.f.freer = A;
    x.f.user = B;
    x.f.freed_at = 1; /* after A's first step */
    hd_cause_find(run, &toy, &x.f, &c);
    assert_int_equal(c.how, HD_CAUSE_FREED);
    assert_int_equal(c.part[0].event, 0);
    assert_int_equal(c.part[1].event, 3); /* the last one of B before the failure */
}

/* ---- a value ------------------------------------------------------------------------------------- */

static bool run_choice(void *ctx, const struct hd_decision *plan, uint32_t n, struct hd_tried *out)
{
    (void)ctx;
    assert_int_equal(n, 3);
    *out = (struct hd_tried){ .same = plan[1].chosen != 2, .clean = plan[1].chosen == 2,
                              .steps = plan, .nsteps = n };
    return true;
}

static void another_value_of_a_choice(void **state)
{
    static const struct hd_decision steps[] = { { SLOT, 0, 0 }, { 1, 3, 0 }, { SLOT, 0, 0 } };
    static const struct hd_event events[] = {
        { .kind = HD_EV_ATOMIC_LOAD, .obj = 1 },
        { .kind = HD_EV_CHOOSE, .flags = HD_EVF_CHOICE, .value = 1, .aux = 3 },
        { .kind = HD_EV_ATOMIC_LOAD, .obj = 1 },
    };
    static const struct hd_event pending[1];
    static const struct hd_thread_info threads[] = { { .slot = SLOT, .state = HD_TH_FINISHED } };
    struct hd_failure f = { .steps = steps, .nsteps = 3, .events = events, .nevents = 3,
                            .pending = pending, .threads = threads, .nthreads = 1 };
    struct hd_cause c;

    (void)state;
    hd_cause_find(run_choice, NULL, &f, &c);
    assert_int_equal(c.how, HD_CAUSE_CHOICE);
    assert_int_equal(c.part[0].event, 1);
    assert_int_equal(c.tried, 2); /* 0 fails, 1 is what it was, 2 passes */
}

/* ---- which events are steps --------------------------------------------------------------------- */

static void expect_second_step(const struct hd_event *events, uint32_t n, uint32_t at)
{
    static const struct hd_decision steps[] = { { SLOT, 0, 0 }, { SLOT, 0, 0 } };
    static const struct hd_event pending[1];
    static const struct hd_thread_info threads[] = { { .slot = SLOT, .state = HD_TH_FINISHED } };
    struct hd_failure f = { .steps = steps, .nsteps = 2, .events = events, .nevents = n,
                            .pending = pending, .threads = threads, .nthreads = 1 };
    struct hd_shrink_steps s;

    hd_shrink_steps_init(&s, &f);
    assert_int_equal(s.nran, 2);
    assert_int_equal(s.op[0].event, 0);
    assert_int_equal(s.op[0].nevents, at); /* all that comes before the second one */
    assert_int_equal(s.op[1].event, at);
    assert_int_equal(s.op[1].nevents, n - at);
    assert_int_equal(s.op[1].nth, 1);
    hd_shrink_steps_free(&s);
}

/* Two decisions, three events that could be points: so plain accesses were none. */
static void plain_accesses_that_are_no_points(void **state)
{
    static const struct hd_event e[] = { { .kind = HD_EV_ATOMIC_STORE },
                                         { .kind = HD_EV_PLAIN_WRITE },
                                         { .kind = HD_EV_ATOMIC_STORE } };

    (void)state;
    expect_second_step(e, COUNT_OF(e), 2);
    expect_second_step(e, 2, 1); /* here it was one */
}

static void an_atomic_section_is_one_step(void **state)
{
    static const struct hd_event e[] = { { .kind = HD_EV_SECTION_BEGIN },
                                         { .kind = HD_EV_ATOMIC_STORE },
                                         { .kind = HD_EV_SECTION_END },
                                         { .kind = HD_EV_ATOMIC_STORE } };

    (void)state;
    expect_second_step(e, COUNT_OF(e), 3);
}

/* ---- the number of runs --------------------------------------------------------------------------- */

static void nothing_can_be_run(void **state)
{
    struct hd_cause c;

    (void)state;
    toy_open(&toy, "A:X B:X", b_before_a);
    toy.runs = toy.most = 1;
    static struct failing x;

    fail_by(&toy, "AB", &x);
    hd_cause_find(run, &toy, &x.f, &c);
    assert_int_equal(c.how, HD_CAUSE_UNKNOWN);
    assert_int_equal(c.tried, 0);
    assert_true(c.cut);
}

enum { LONG = 400, CAUSE = 60 };

static bool b_overtakes(const struct order *o)
{
    return is_before(o, B, CAUSE, A, CAUSE);
}

/* More pairs than runs are allowed, and the cause is far from the end: the turning point is
 * looked for first, and pairs around it are tried first. */
static void pairs_near_the_turning_point_come_first(void **state)
{
    static char text[2 * LONG + 8], schedule[2 * LONG + 1];
    struct hd_cause c;

    (void)state;
    memset(text, 'X', sizeof text - 1);
    memcpy(text, "A:", 2);
    memcpy(text + 2 + LONG, " B:", 3);
    text[5 + 2 * LONG] = '\0';
    for (uint32_t i = 0; i < 2 * LONG; i++)
        schedule[i] = i % 2 == 0 ? 'A' : 'B';
    toy_open(&toy, text, b_overtakes);
    toy.favours_last = true; /* so it passes as long as A has not done the decisive operation */
    c = cause_in(&toy, schedule);
    expect_before(&c, 2 * CAUSE, 2 * CAUSE + 1);
    assert_true(c.tried <= HD_CAUSE_TRIES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_distance_counts_pairs_that_change_places),
        cmocka_unit_test(of_two_as_near_the_later_is_named),
        cmocka_unit_test(what_never_ran_does_not_change_places),
        cmocka_unit_test(an_operation_between_two_of_another_thread),
        cmocka_unit_test(the_later_of_the_two_may_be_the_partner),
        cmocka_unit_test(an_update_of_several_operations_between_two),
        cmocka_unit_test(what_follows_may_belong_to_it),
        cmocka_unit_test(two_reads_are_no_pair),
        cmocka_unit_test(plain_accesses_that_are_no_points),
        cmocka_unit_test(an_atomic_section_is_one_step),
        cmocka_unit_test(a_switch_without_a_conflict),
        cmocka_unit_test(a_thread_that_is_held_back),
        cmocka_unit_test(what_always_fails),
        cmocka_unit_test(no_order_is_named_that_was_not_reversed),
        cmocka_unit_test(what_was_freed_too_early),
        cmocka_unit_test(another_value_of_a_choice),
        cmocka_unit_test(nothing_can_be_run),
        cmocka_unit_test(pairs_near_the_turning_point_come_first),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
