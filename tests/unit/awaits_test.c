/* SPDX-License-Identifier: BSD-2-Clause
 *
 * awaits_test.c - what is known about waiting loops, and the clocks of an operation that was taken
 * back. */
#include "support/unit.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "detect/clocks.h"
#include "model/awaits.h"

static void outcomes_are_kept(void **state)
{
    struct hd_await_table *t = calloc(1, sizeof *t);

    (void)state;
    assert_non_null(t);
    for (uint64_t key = 1; key < 200; key++)
        for (uint64_t value = 0; value < 20; value++) {
            assert_int_equal(hd_await_find(t, key, value), HD_AWAIT_UNKNOWN);
            hd_await_add(t, key, value, (key + value) % 3 == 0);
            hd_await_add(t, key, value, true); /* the first outcome stays */
        }
    for (uint64_t key = 1; key < 200; key++)
        for (uint64_t value = 0; value < 20; value++)
            assert_int_equal(hd_await_find(t, key, value),
                             (key + value) % 3 == 0 ? HD_AWAIT_GOES_ROUND : HD_AWAIT_LEAVES);
    free(t);
}

/* Nothing is lost or found when there is no room left. */
static void a_full_table_knows_no_more(void **state)
{
    struct hd_await_table *t = calloc(1, sizeof *t);

    (void)state;
    assert_non_null(t);
    for (uint64_t i = 0; i < 2 * HD_AWAIT_OUTCOMES; i++)
        hd_await_add(t, i, 7, true);
    unsigned known = 0;

    for (uint64_t i = 0; i < 2 * HD_AWAIT_OUTCOMES; i++) {
        enum hd_await_outcome o = hd_await_find(t, i, 7);

        assert_int_not_equal(o, HD_AWAIT_LEAVES);
        known += o == HD_AWAIT_GOES_ROUND;
    }
    assert_true(known > HD_AWAIT_OUTCOMES / 2 && known <= HD_AWAIT_OUTCOMES);
    free(t);
}

enum { OBJECT = 3, SEQ_CST = 5 };

static struct hd_event event(hd_tid tid, enum hd_kind kind)
{
    return (struct hd_event){ .tid = tid, .kind = (uint8_t)kind, .peer = HD_NO_TID, .aux = SEQ_CST, .obj = OBJECT };
}

static void run(struct hd_clocks *c, hd_tid tid, enum hd_kind kind)
{
    struct hd_event e = event(tid, kind);

    hd_clocks_segment(c, tid);
    hd_clocks_atomic(c, &e);
}

/* Thread 1 stores and releases; an operation of thread 2 acquires that, and is taken back. */
static void taken_back(enum hd_kind kind)
{
    struct hd_arena arena = { .size = (size_t)1 << 32 };
    struct hd_clocks *c = calloc(1, sizeof *c);
    struct hd_clocks_saved saved;

    arena.base = mmap(NULL, arena.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(arena.base != MAP_FAILED && c != NULL);
    hd_clocks_init(c, &arena, 16);
    hd_clocks_begin(c);
    hd_segment mine = hd_clocks_segment(c, 2), released = hd_clocks_segment(c, 1);

    run(c, 1, HD_EV_ATOMIC_STORE);
    hd_clocks_save(c, 2, OBJECT, &saved);
    run(c, 2, kind);
    assert_true(hd_clocks_before(c, released, 1, 2));
    hd_clocks_restore(c, &saved);
    assert_false(hd_clocks_before(c, released, 1, 2)); /* it has acquired nothing */
    run(c, 3, HD_EV_ATOMIC_LOAD);
    assert_true(hd_clocks_before(c, released, 1, 3));
    assert_false(hd_clocks_before(c, mine, 2, 3)); /* and released nothing */
    munmap(arena.base, arena.size);
    free(c);
}

static void a_load_is_taken_back(void **state)
{
    (void)state;
    taken_back(HD_EV_ATOMIC_LOAD);
}

static void an_exchange_is_taken_back(void **state)
{
    (void)state;
    taken_back(HD_EV_ATOMIC_RMW);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outcomes_are_kept),
        cmocka_unit_test(a_full_table_knows_no_more),
        cmocka_unit_test(a_load_is_taken_back),
        cmocka_unit_test(an_exchange_is_taken_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
