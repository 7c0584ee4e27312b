/* SPDX-License-Identifier: BSD-2-Clause
 *
 * replay_test.c - a recorded schedule runs again, or says where it does not fit. */
#include "support/unit.h"

#include "support/explorer.h"
#include "support/programs.h"

struct recording {
    struct hd_decision decision[64];
    uint32_t n;
    uint64_t hash;
};

static struct recording record_random(const struct program *p, uint64_t seed)
{
    struct recording r;
    struct explorer x;

    explorer_open(&x, p, "random", -1, seed);
    explorer_all(&x, 1);
    r.n = x.exec.nsteps;
    r.hash = x.exec.trace_hash;
    memcpy(r.decision, x.exec.decisions, r.n * sizeof r.decision[0]);
    explorer_close(&x);
    return r;
}

static void replay(struct explorer *x, const struct program *p, const struct recording *r)
{
    explorer_open(x, p, "replay", -1, 1);
    x->cfg.recorded = r->decision;
    x->cfg.nrecorded = r->n;
    explorer_reopen(x);
    explorer_all(x, 100);
    assert_int_equal(explorer_totals(x)->begun, 1);
    assert_int_equal(explorer_totals(x)->exhausted, 1);
    assert_false(hd_search_begin(&x->search));
}

static void a_recording_runs_again(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct hd_rng rng = hd_rng_for(77, seed);
        struct program p;
        struct explorer x;

        prog_random(&p, &rng);
        struct recording r = record_random(&p, seed);

        replay(&x, &p, &r);
        assert_int_not_equal(x.exec.ending, HD_END_DIVERGED);
        assert_true(x.exec.trace_hash == r.hash);
        assert_int_equal(x.exec.nsteps, r.n);
        explorer_close(&x);
    }
}

enum damage { SIGNATURE, THREAD, UNKNOWN_THREAD, CHOICE_FOR_THREAD };

static const struct {
    const char *name;
    enum damage damage;
    uint32_t step;
} rows[] = {
    { "another operation at the start", SIGNATURE, 0 },
    { "another operation later", SIGNATURE, 3 },
    { "another operation at the end", SIGNATURE, 4 },
    { "a thread that is finished", THREAD, 2 },
    { "a thread that never was", UNKNOWN_THREAD, 2 },
    { "a choice where a thread is due", CHOICE_FOR_THREAD, 1 },
};

static void divergence_is_found_where_it_is(void **state)
{
    struct recording intact = record_random(&prog_two_by_two, 1);

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct recording r = intact;
        struct hd_decision *d = &r.decision[rows[i].step];
        struct explorer x;

        switch (rows[i].damage) {
        case SIGNATURE: d->sig ^= 1; break;
        case THREAD: d->chosen = 0; break;
        case UNKNOWN_THREAD: d->chosen = 99; break;
        case CHOICE_FOR_THREAD: d->alternatives = 2; break;
        }
        replay(&x, &prog_two_by_two, &r);
        EXPECT_EQ(rows[i].name, x.exec.ending, HD_END_DIVERGED);
        EXPECT_EQ(rows[i].name, x.exec.diverged_step, rows[i].step);
        EXPECT_EQ(rows[i].name, x.exec.nsteps, rows[i].step);
        EXPECT_EQ(rows[i].name, explorer_totals(&x)->executions, 0);
        if (rows[i].damage == SIGNATURE)
            EXPECT_EQ(rows[i].name, x.exec.diverged_found.tid, d->chosen);
        explorer_close(&x);
    }
}

static void a_choice_must_have_as_many_alternatives(void **state)
{
    static const struct program two = { .op = { { CHOOSE(2, 0), WRITE(0, 1) } } };
    static const struct program three = { .op = { { CHOOSE(3, 0), WRITE(0, 1) } } };
    struct recording r = record_random(&three, 1);
    struct explorer x;

    (void)state;
    replay(&x, &two, &r);
    assert_int_equal(x.exec.ending, HD_END_DIVERGED);
    assert_int_equal(x.exec.diverged_step, 0);
    explorer_close(&x);
}

/* Beyond the record: no switch but where it must be. */
static void a_short_recording_goes_on_without_preemptions(void **state)
{
    struct recording r = { .decision = { { .chosen = 0 }, { .chosen = 2 }, { .chosen = 1 } },
                           .n = 3 };
    static const hd_tid want[] = { 0, 2, 1, 1, 2 };
    struct explorer x;

    (void)state;
    replay(&x, &prog_two_by_two, &r);
    assert_int_equal(x.exec.ending, HD_END_CLEAN);
    assert_int_equal(x.exec.nsteps, COUNT_OF(want));
    for (size_t i = 0; i < COUNT_OF(want); i++)
        assert_int_equal(x.exec.decisions[i].chosen, want[i]);
    assert_int_equal(x.exec.preemptions, 1);
    explorer_close(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recording_runs_again),
        cmocka_unit_test(divergence_is_found_where_it_is),
        cmocka_unit_test(a_choice_must_have_as_many_alternatives),
        cmocka_unit_test(a_short_recording_goes_on_without_preemptions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
