/* SPDX-License-Identifier: BSD-2-Clause
 *
 * waits_test.c - decisions beside waiting loops (search/core/waits.c): they are the same whether it was known that an
 * operation only begins another round, or has been tried. */
#include "support/unit.h"

#include "support/explorer.h"
#include "support/programs.h"

enum { THREADS = 4, WAITER = 2, STEPS = 300 };

static struct hd_event pending[THREADS];
static uint32_t sigs[THREADS];

/* Thread WAITER polls an object that the others write. */
static struct hd_point point_at(uint32_t step, hd_tid last)
{
    struct hd_point p = { .step = step, .nthreads = THREADS, .last = last, .pending = pending, .sigs = sigs };

    for (unsigned t = 0; t < THREADS; t++) {
        pending[t] = (struct hd_event){ .tid = (hd_tid)t, .kind = t == WAITER ? HD_EV_ATOMIC_LOAD : HD_EV_ATOMIC_STORE,
                                        .obj = 1, .peer = HD_NO_TID };
        if (t != WAITER)
            hd_set_add(&p.enabled, t);
    }
    return p;
}

static bool leaves(uint32_t step)
{
    return step % 5 == 4;
}

/* One decision.  tried: whether the waiter goes round is unknown.  *vain counts the trials. */
static hd_tid decide(struct hd_search *s, uint32_t step, hd_tid last, bool tried, unsigned *vain)
{
    struct hd_point p = point_at(step, last);

    if (leaves(step) || tried) {
        hd_set_add(&p.enabled, WAITER);
        p.nuntried = tried;
        hd_set_put(&p.untried, WAITER, tried);
    } else {
        hd_set_add(&p.awaiting, WAITER);
    }
    p.last_enabled = hd_set_has(&p.enabled, last);
    hd_tid next = hd_search_pick(s, &p);

    if (next != WAITER || leaves(step))
        return next;
    ++*vain;
    hd_set_remove(&p.enabled, WAITER);
    hd_set_remove(&p.untried, WAITER);
    p.nuntried = 0;
    hd_set_add(&p.awaiting, WAITER);
    p.again = true;
    return hd_search_pick(s, &p);
}

static void play(const char *strategy, uint64_t seed, bool tried, hd_tid *out, unsigned *vain)
{
    struct explorer x;

    explorer_open(&x, &prog_abba, strategy, -1, seed);
    for (uint32_t t = 0; t < THREADS; t++)
        x.exec.threads[t].slot = (uint16_t)t;
    assert_int_equal(hd_search_begin(&x.search), HD_BEGIN_RUN);
    hd_search_sees_waits(&x.search, false);
    for (uint32_t step = 0; step < STEPS; step++)
        out[step] = decide(&x.search, step, step == 0 ? 0 : out[step - 1], tried, vain);
    explorer_close(&x);
}

static void compare(const char *strategy, uint64_t seed, unsigned *vain)
{
    hd_tid known[STEPS], tried[STEPS];
    unsigned none = 0;

    play(strategy, seed, false, known, &none);
    play(strategy, seed, true, tried, vain);
    assert_int_equal(none, 0);
    for (uint32_t step = 0; step < STEPS; step++) {
        if (known[step] != tried[step])
            fail_msg("%s, step %u: T%u if it is known, T%u if it is tried", strategy, step, known[step], tried[step]);
        assert_true(known[step] != WAITER || leaves(step));
    }
}

static void samplers_do_not_depend_on_what_is_known(void **state)
{
    static const char *const samplers[] = { "random", "stale", "pct", "pct:d=40", "pct:d=9,demote=1", "ppct:d=40", "pos",
                                            "surw" }; /* mix calls them */

    (void)state;
    for (unsigned i = 0; i < sizeof samplers / sizeof samplers[0]; i++) {
        unsigned vain = 0;

        for (uint64_t seed = 1; seed <= 20; seed++)
            compare(samplers[i], seed, &vain);
        assert_true(vain > 0);
    }
}

/* A decision that is taken again is no step: k is the number of real ones. */
static void pct_counts_no_vain_round(void **state)
{
    struct explorer x;
    unsigned vain = 0;
    hd_tid last = 0;

    (void)state;
    explorer_open(&x, &prog_abba, "pct:d=2", -1, 11);
    assert_int_equal(hd_search_begin(&x.search), HD_BEGIN_RUN);
    hd_search_sees_waits(&x.search, false);
    for (uint32_t step = 0; step < STEPS; step++)
        last = decide(&x.search, step, last, true, &vain);
    x.exec.ending = HD_END_CLEAN;
    hd_search_end(&x.search);
    assert_true(vain > 0);
    assert_int_equal(explorer_totals(&x)->cursor.w[0], STEPS);
    explorer_close(&x);
}

/* idb is asked when nothing is unknown. */
static void delays_are_counted_when_all_is_known(void **state)
{
    struct explorer x;
    struct hd_point p = point_at(0, 0);

    (void)state;
    explorer_open(&x, &prog_abba, "idb", -1, 1);
    assert_int_equal(hd_search_begin(&x.search), HD_BEGIN_RUN);
    hd_search_sees_waits(&x.search, true);
    hd_set_add(&p.enabled, WAITER);
    hd_set_add(&p.untried, WAITER);
    p.nuntried = 1;
    p.last_enabled = true;
    assert_int_equal(hd_search_pick(&x.search, &p), WAITER);
    hd_set_remove(&p.enabled, WAITER);
    hd_set_remove(&p.untried, WAITER);
    hd_set_add(&p.awaiting, WAITER);
    p.nuntried = 0;
    p.again = true;
    assert_int_equal(hd_search_pick(&x.search, &p), 0);

    /* it has left its loop: the execution is begun again */
    p = point_at(1, 0);
    hd_set_add(&p.enabled, WAITER);
    hd_set_add(&p.untried, WAITER);
    p.nuntried = 1;
    assert_int_equal(hd_search_pick(&x.search, &p), WAITER);
    p = point_at(2, WAITER);
    assert_int_equal(hd_search_pick(&x.search, &p), HD_NO_TID);
    assert_int_equal(x.exec.ending, HD_END_AGAIN);

    /* it ends in a trial, by a crash: it is begun again once more, without trials */
    assert_int_equal(hd_search_begin(&x.search), HD_BEGIN_RUN);
    hd_search_sees_waits(&x.search, true);
    p = point_at(0, 0);
    hd_set_add(&p.enabled, WAITER);
    hd_set_add(&p.untried, WAITER);
    p.nuntried = 1;
    p.last_enabled = true;
    assert_int_equal(hd_search_pick(&x.search, &p), WAITER);
    assert_true(hd_search_ended_in_trial(&x.search));
    assert_false(hd_search_ended_in_trial(&x.search));
    assert_int_equal(hd_search_begin(&x.search), HD_BEGIN_RUN);
    hd_search_sees_waits(&x.search, true);
    assert_int_equal(hd_search_pick(&x.search, &p), 0);
    explorer_close(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samplers_do_not_depend_on_what_is_known),
        cmocka_unit_test(pct_counts_no_vain_round),
        cmocka_unit_test(delays_are_counted_when_all_is_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
