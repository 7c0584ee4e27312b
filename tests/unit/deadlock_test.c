/* SPDX-License-Identifier: BSD-2-Clause
 *
 * deadlock_test.c - cycles among waiting threads, against a search of every path. */
#include "support/unit.h"

#include <string.h>

#include "base/rng.h"
#include "detect/deadlock.h"

enum { THREADS = 6 };

static struct hd_set waits[THREADS];

static void waits_for(unsigned t, unsigned whom)
{
    hd_set_add(&waits[t], whom);
}

static void nobody_waits_for_ever_without_a_cycle(void **state)
{
    hd_tid cycle[HD_MAX_THREADS];

    (void)state;
    memset(waits, 0, sizeof waits);
    waits_for(0, 1);
    waits_for(1, 2);
    waits_for(3, 2);
    assert_int_equal(hd_deadlock_cycle(waits, THREADS, cycle), 0);
}

static void a_thread_may_wait_for_itself(void **state)
{
    hd_tid cycle[HD_MAX_THREADS];

    (void)state;
    memset(waits, 0, sizeof waits);
    waits_for(0, 3);
    waits_for(3, 3);
    assert_int_equal(hd_deadlock_cycle(waits, THREADS, cycle), 1);
    assert_int_equal(cycle[0], 3);
}

static void a_writer_waits_for_every_reader(void **state)
{
    hd_tid cycle[HD_MAX_THREADS];

    (void)state;
    memset(waits, 0, sizeof waits);
    waits_for(4, 1); /* reader that goes on */
    waits_for(4, 2); /* reader that waits for the writer */
    waits_for(2, 4);
    assert_int_equal(hd_deadlock_cycle(waits, THREADS, cycle), 2);
    assert_int_equal(cycle[0], 2);
    assert_int_equal(cycle[1], 4);
}

static unsigned shortest(unsigned from, unsigned to, unsigned depth)
{
    unsigned best = 0;

    if (depth > THREADS)
        return 0;
    for (unsigned t = 0; t < THREADS; t++) {
        unsigned n;

        if (!hd_set_has(&waits[from], t))
            continue;
        n = t == to ? depth : shortest(t, to, depth + 1);
        if (n != 0 && (best == 0 || n < best))
            best = n;
    }
    return best;
}

static void agrees_with_every_path(void **state)
{
    struct hd_rng rng = hd_rng_for(7, 0);
    hd_tid cycle[HD_MAX_THREADS];

    (void)state;
    for (unsigned round = 0; round < 3000; round++) {
        unsigned want = 0, first = 0;

        memset(waits, 0, sizeof waits);
        for (unsigned i = 0; i < 6; i++)
            waits_for(hd_rng_below(&rng, THREADS), hd_rng_below(&rng, THREADS));
        for (first = 0; first < THREADS && want == 0; first++)
            want = shortest(first, first, 1);
        unsigned n = hd_deadlock_cycle(waits, THREADS, cycle);

        assert_int_equal(n, want);
        assert_true(n == 0 || cycle[0] == first - 1);
        for (unsigned i = 0; i < n; i++)
            assert_true(hd_set_has(&waits[cycle[i]], cycle[(i + 1) % n]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_waits_for_ever_without_a_cycle),
        cmocka_unit_test(a_thread_may_wait_for_itself),
        cmocka_unit_test(a_writer_waits_for_every_reader),
        cmocka_unit_test(agrees_with_every_path),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
