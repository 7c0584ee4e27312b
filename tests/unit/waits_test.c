/* SPDX-License-Identifier: BSD-2-Clause
 *
 * waits_test.c - decisions beside waiting loops (search/core/waits.c). */
#include "support/unit.h"

#include "support/explorer.h"
#include "support/programs.h"

enum { THREADS = 4, WAITER = 2 };

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

/* idb is asked when nothing is unknown. */
static void delays_are_counted_when_all_is_known(void **state)
{
    struct explorer x;
    struct hd_point p = point_at(0, 0);

    (void)state;
    explorer_open(&x, &prog_abba, "idb", -1, 1);
    assert_int_equal(hd_search_begin(&x.search), HD_BEGIN_RUN);
    hd_search_sees_waits(&x.search);
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
    hd_search_sees_waits(&x.search);
    p = point_at(0, 0);
    hd_set_add(&p.enabled, WAITER);
    hd_set_add(&p.untried, WAITER);
    p.nuntried = 1;
    p.last_enabled = true;
    assert_int_equal(hd_search_pick(&x.search, &p), WAITER);
    assert_true(hd_search_ended_in_trial(&x.search));
    assert_false(hd_search_ended_in_trial(&x.search));
    assert_int_equal(hd_search_begin(&x.search), HD_BEGIN_RUN);
    hd_search_sees_waits(&x.search);
    assert_int_equal(hd_search_pick(&x.search, &p), 0);
    explorer_close(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(delays_are_counted_when_all_is_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
